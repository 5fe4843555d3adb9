// One trained vector for each position.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// x_t + table[t], table: [context, C], drawn with deviation 0.02 like the token embeddings.
/// Gehring et al. (2017), arXiv 1705.03122; GPT-2 and BERT.
/// A position without a row is a PositionError: it never wraps round and never reads beyond.
SchemeEntry learned();

}  // namespace phasor::inline PHASOR_PRECISION
