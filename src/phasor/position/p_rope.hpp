// Rotary embedding without its slowest pairs.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// As rope with frequencies base^(-2c/D), but only the floor(kept * D/2) fastest pairs are rotated,
/// at least one; the others carry content without position. That is not a partial rope, whose
/// rotated columns span all wavelengths. Barbero et al. (2024), arXiv 2410.06205, section 6.2
/// (p-RoPE).
SchemeEntry p_rope();

}  // namespace phasor::inline PHASOR_PRECISION
