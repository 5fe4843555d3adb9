// A logarithmic kernel bias.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits - r1_h ln(1 + r2_h |rel|).   Parameters: r1 [H], uniform in 0 .. 2 at first, and r2 [H],
/// uniform in 0 .. 1; both are brought back to at least 0.01 after every update.
/// Chi et al. (2022), arXiv 2205.09921, equation 5 (the logarithmic variant); start values and
/// bound as in the authors' code.
SchemeEntry kerple_log();

}  // namespace phasor::inline PHASOR_PRECISION
