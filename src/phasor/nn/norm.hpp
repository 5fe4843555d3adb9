// Normalisation with trainable factors.
#pragma once
#include "phasor/nn/module.hpp"

namespace phasor::inline PHASOR_PRECISION {

enum class NormKind { layer, rms };

/// Layer norm (parameters weight [C] of ones, bias [C] of zeros) or RMS norm (weight alone).
class Norm : public Module {
 public:
  Norm(std::size_t width, NormKind kind);
  /// [..., C] -> [..., C].
  Var operator()(const Var& x) const;

 private:
  NormKind kind_;
  Var& weight_;
  Var bias_;
};

}  // namespace phasor::inline PHASOR_PRECISION
