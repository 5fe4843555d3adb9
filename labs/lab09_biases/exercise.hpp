// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

/// The slopes of ALiBi, one a head, in the order of the heads.
///
///   m_h = 2^(-8 h / H),   h = 1 .. H        when H is a power of two
///
/// Any other H: the slopes of the power of two below H, then every other slope, from the first, of
/// the power of two above H, until there are H. Source: Press et al. (2021), section 3, and the
/// authors' code. `heads` is at least 1.
std::vector<double> alibi_slopes(std::size_t heads);

/// The bucket of a distance in T5, 0 .. buckets - 1. `rel` is a whole number, the query's position
/// minus the key's: positive when the key is in the past.
///
/// causal: the future (rel < 0) counts as distance 0. With e = buckets / 2, a distance below e has
/// the bucket of its own number, and a longer one
///
///   e + floor( ln(rel / e) / ln(max_distance / e) * (buckets - e) ),   at most buckets - 1
///
/// Where that product is a whole number, as for 10 buckets up to 160 at the distances 10, 20, 40
/// and 80, its rounding may leave it a hair below: count it as the whole number.
///
/// Not causal: n = buckets / 2 of them serve the past in the same way, with n in the place of
/// `buckets`; the future has the other half, n + the bucket of -rel. Source: Raffel et al. (2020),
/// section 2.1, and the authors' code.
std::size_t t5_bucket(double rel, std::size_t buckets, double max_distance, bool causal);

/// From scores by distance to scores by key, without a loop over all pairs of positions.
///
/// by_distance: [T, S], T <= S. The queries are the last T of the S tokens, and column c belongs to
/// distance S - 1 - c, the same for all rows. Returns [T, S]: entry (i, j) is the score of query i
/// with key j, which stand S - T + i - j apart. Where that is negative (a key in the future)
/// anything may stand: attention masks it.
///
/// The trick: put a column of zeros in front, read the T (S + 1) numbers as S + 1 rows of T, leave
/// out the first row, and read the rest as T rows of S. No number changes place in memory but for
/// the zeros. Source: Dai et al. (2019), appendix B.
xt::xarray<double> relative_shift(const xt::xarray<double>& by_distance);
