// Figures about the inner product of two encodings, from whatever encoding they are given.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/figure/figure.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// dots(D, i) = row(i) . row(i + D), NaN where there is no position i + D.   rows: [T, d] -> [T,
/// T].
xt::xarray<double> dots_of(const xt::xarray<double>& rows);

/// D4-F1: one line for each odd distance, over the first position of the pair.
/// dots: [T, T] as of `dots_of`, at least 3 positions; width: of the encoding, for the title.
Figure flat_figure(const xt::xarray<double>& dots, std::size_t width);

/// D1-F3: cosine similarity of every two positions, and its first row as a curve.   pe: [T, d].
Figure similarity_figure(const xt::xarray<double>& pe);

/// D0-F3: range, norm, inner product, L2 distance and near collisions.   pe: [T, d], at least 100
/// positions, sinusoidal with `base`, which gives the sum of cosines to compare with.
Figure properties_figure(const xt::xarray<double>& pe, double base = 10000);

}  // namespace phasor
