// The part of a block that looks at one position at a time.
#pragma once
#include "phasor/nn/linear.hpp"

namespace phasor::inline PHASOR_PRECISION {

enum class Activation { gelu_tanh, gelu_erf, relu, silu };

/// y = down(activation(up(x))).   x: [..., C] -> [..., C]; up widens to `hidden`.
class Mlp : public Module {
 public:
  /// `residual_deviation`: of the weights of `down`, whose result is added to the residual stream.
  Mlp(std::size_t width, std::size_t hidden, Activation activation, Real deviation,
      Real residual_deviation, Rng& rng);
  Var operator()(const Var& x) const;

 private:
  Activation activation_;
  Linear up_, down_;
};

}  // namespace phasor::inline PHASOR_PRECISION
