// What a scheme makes of queries and keys that are all alike.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// score(m, n) before softmax, [H, T, T] with queries m in rows: what is left when content says
/// nothing. Every q and k is a vector of ones, and so is every input of the layer; with a scheme
/// that adds to the embeddings, q and k are what it adds. NaN where a causal query sees no key.
/// Throws ConfigError when the scheme needs causal attention and `causal` is false, PositionError.
Tensor score_kernel(const Scheme& scheme, const SchemeSizes& sizes, const Positions& positions,
                    bool causal);

}  // namespace phasor::inline PHASOR_PRECISION
