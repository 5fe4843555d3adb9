// Trained vectors for distances, added to keys and values.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits + q . aK[r] / sqrt(D),  out + sum over s of weights aV[r],
/// r = K + clip(key position - query position, -K, K).
/// K is `max_distance`.   Parameters: keys and values [2K+1, D], shared by the heads of a layer,
/// one pair for each layer. Shaw et al. (2018), arXiv 1803.02155, equations 3 and 4. Causal
/// attention uses K + 1 of the rows.
SchemeEntry shaw();

}  // namespace phasor::inline PHASOR_PRECISION
