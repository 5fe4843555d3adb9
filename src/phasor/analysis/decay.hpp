// What the inner product of two encodings says of the distance between their positions.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// sum over k of cos(distance w_k): the inner product of two sinusoidal encodings.
double sum_of_cosines(double distance, const std::vector<double>& frequencies);

/// 1 - (ln distance + 0.5772) / ln base: what the inner product of a wide sinusoidal encoding
/// follows, as a share of its value at distance 0, for 1 << distance << base. It is the mean of
/// cos(distance base^-u) over u from 0 to 1, (Ci(distance) - Ci(distance / base)) / ln base, with
/// Ci(x) = 0.5772 + ln x for small x and 0 for large x (DLMF 6.6.6 and 6.12.3).
double decay_law(double distance, double base);

/// The distance at which the law is 0: base exp(-0.5772).
double decay_law_zero(double base);

/// For every distance the largest minus the smallest inner product of two rows so far apart; the
/// largest of these. 0 but for rounding when the product is a function of distance alone.
/// rows: [T, d]. Throws ShapeError unless rows has two axes.
double widest_spread(const xt::xarray<double>& rows);

/// Rows divided by their lengths. Throws DataError when a row is zero.
xt::xarray<double> normalised(const xt::xarray<double>& rows);

/// Up to which index a value tells where it stands: the last i such that each of values[0] ..
/// values[i] is larger than everything after it. Values must not be empty.
std::size_t readable_up_to(const std::vector<double>& values);

}  // namespace phasor
