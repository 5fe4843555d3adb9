// No positional encoding (NoPE).
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// All four hooks are the identity. What order the model knows comes from the causal mask: two
/// causal layers can count, one layer or an unmasked model is blind to order.
/// Haviv et al. (2022), arXiv 2203.16634; Kazemnejad et al. (2023), arXiv 2305.19466.
SchemeEntry none();

}  // namespace phasor::inline PHASOR_PRECISION
