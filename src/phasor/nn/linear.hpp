// A linear map with a bias.
#pragma once
#include "phasor/nn/module.hpp"

namespace phasor::inline PHASOR_PRECISION {

enum class Bias { with, without };

/// y = x weight^T + bias.   x: [..., in] -> [..., out].
/// Parameters: weight [out, in], normal with the given standard deviation; bias [out], zero.
class Linear : public Module {
 public:
  Linear(std::size_t in, std::size_t out, Bias bias, Real standard_deviation, Rng& rng);
  Var operator()(const Var& x) const;

 private:
  Var& weight_;
  Var bias_;
};

}  // namespace phasor::inline PHASOR_PRECISION
