// A trained bias for each bucket of distances.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits + table[bucket(rel), h].   Parameters: table [buckets, H], one for the whole model.
/// Raffel et al. (2020), arXiv 1910.10683, section 2.1; buckets as in the authors' code.
///
/// Causal, n buckets up to distance M: the first n/2 distances have a bucket each, then
///   bucket = n/2 + floor(ln(rel / (n/2)) / ln(M / (n/2)) * n/2), at most n - 1; the future is 0.
/// Borders between buckets are exact for whole distances (log_steps.hpp): 10 buckets up to 160
/// begin at 10, 20, 40 and 80, where a product of rounded logarithms begins one of them a distance
/// later. Without a mask half of the buckets serve the past and half the future (|rel| + n/2). T5
/// itself has no 1/sqrt(D); here logits are scaled as for every scheme before the bias.
SchemeEntry t5_bias();

/// The bucket of a distance. `max_distance` is above half of the buckets.
std::size_t t5_bucket(double rel, std::size_t buckets, double max_distance, bool causal);

}  // namespace phasor::inline PHASOR_PRECISION
