// Attention with linear biases.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// m_h = 2^(-8h/H), h = 1 .. H, when H is a power of two. Otherwise the slopes of the power of two
/// below H, then every other slope of the power of two above it (the form of the authors' code).
std::vector<double> alibi_slopes(std::size_t heads);

/// logits - m_h |rel|, not divided by sqrt(D).
/// Press et al. (2021), arXiv 2108.12409, section 3. Causal attention only sees rel >= 0; without
/// a mask the absolute distance keeps the future from being rewarded.
SchemeEntry alibi();

}  // namespace phasor::inline PHASOR_PRECISION
