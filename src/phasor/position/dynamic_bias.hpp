// A small network of the distance.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits + mlp(u)_h, u = rel (input `linear`) or sign(rel) ln(1 + |rel|) (input `log`).
/// mlp: 1 -> hidden -> H with ReLU, one for the whole model (distance_mlp.hpp).
/// Liu et al. (2021), arXiv 2111.09883, equations 3 and 4 (continuous position bias), here in one
/// dimension.
SchemeEntry dynamic_bias();

}  // namespace phasor::inline PHASOR_PRECISION
