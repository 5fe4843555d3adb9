// Positions counted by the content itself.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Gates g_ij = sigmoid(logit_ij) of the scaled and masked logits; the position of key j seen from
/// query i is p_ij = sum of g_il over l = j .. i, at most n - 1; logits + (1 - w) q . e[floor p] +
/// w q . e[ceil p], w = p - floor p; q is not scaled.   Parameters: table e [n, D], zero at first,
/// shared by the heads of a layer.
/// Golovneva et al. (2024), arXiv 2405.18719, equations 3 to 5 and the code of its appendix.
///
/// `rows` n is the training context unless given. A masked key has gate 0 and counts nothing;
/// without a causal mask a key would count what lies beyond the query, so attention must be causal.
SchemeEntry cope();

}  // namespace phasor::inline PHASOR_PRECISION
