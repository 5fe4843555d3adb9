#include "phasor/nn/norm.hpp"

#include "phasor/ops/norm.hpp"

namespace phasor::inline PHASOR_PRECISION {

Norm::Norm(std::size_t width, NormKind kind)
    : kind_(kind), weight_(add_parameter("weight", full({width}, 1))) {
  if (kind == NormKind::layer) bias_ = add_parameter("bias", zeros({width}));
}

Var Norm::operator()(const Var& x) const {
  return kind_ == NormKind::layer ? layer_norm(x, weight_, bias_) : rms_norm(x, weight_);
}

}  // namespace phasor::inline PHASOR_PRECISION
