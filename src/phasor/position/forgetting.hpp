// Forgetting attention: a bias that each token decides.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits + F_i - F_j,  F = cumulative sum of ln f,  f_lh = sigmoid(w_h . x_l + b_h): the gates of
/// all tokens after the key, up to and with the query's, multiply its weight. x is the input of the
/// attention layer.   Parameters: weight [H, C], bias [H] (5 at first: almost nothing is
/// forgotten). Lin et al. (2025), arXiv 2503.02130, equations 4 and 5 (data-dependent ALiBi).
///
/// The start of b is this project's: with 0 half of every token's memory would be gone at once.
/// Keys in the future have no gates between, so attention must be causal.
SchemeEntry forgetting();

}  // namespace phasor::inline PHASOR_PRECISION
