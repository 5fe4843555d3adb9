// A small network of the distance relative to the query's position.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits + mlp(psi(rel) / (psi(max(L, query position)) + 1e-6))_h,  psi(x) = ln(|c x| + 1),
/// L = |multiplier * threshold|.  mlp: 1 -> hidden -> H with ReLU, one for each layer.
/// Parameters: c [1] = 0.1, multiplier [1] = 1, mlp.* (distance_mlp.hpp).
/// Li et al. (2023), arXiv 2310.04418, equation 19 and the code of its appendix.
///
/// The denominator holds the query's position, so beyond L the bias is not a function of rel alone.
/// The paper starts L at 512; here `threshold` is the training context unless given, for an L far
/// beyond the context leaves most of the network's input unused.
SchemeEntry fire();

}  // namespace phasor::inline PHASOR_PRECISION
