// A small network from one number to one bias for each head.
#pragma once
#include "phasor/nn/module.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// y = down relu(up x).   x: [U, 1] -> [U, heads].
/// Parameters: up.weight [hidden, 1] and up.bias [hidden], uniform in -1 .. 1, so that the kinks
/// lie on both sides of 0; down.weight [heads, hidden], normal with deviation 0.02; down.bias
/// [heads], 0.
class DistanceMlp : public Module {
 public:
  DistanceMlp(std::size_t hidden, std::size_t heads, Rng& rng);
  Var operator()(const Var& x) const;

 private:
  Var &up_weight_, &up_bias_, &down_weight_, &down_bias_;
};

}  // namespace phasor::inline PHASOR_PRECISION
