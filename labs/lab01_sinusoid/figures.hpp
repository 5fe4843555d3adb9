// The figures of Lab 01. Captions and alt texts are computed from the numbers drawn.
#pragma once
#include <cstddef>
#include <vector>
#include <xtensor/xarray.hpp>

#include "phasor/figure/figure.hpp"

namespace phasor::lab01 {

inline constexpr double kBase = 10000;

/// The 5 x 4 table before and after each of its two steps, and the two functions.
Figure table_figure(const xt::xarray<double>& pe);
/// The encoding as a heatmap.
Figure heatmap_figure(const xt::xarray<double>& pe);
/// A few dimensions over the position.
Figure waves_figure(const xt::xarray<double>& pe);
/// A dial for each frequency, hands at some of the positions of `pe`.
Figure clocks_figure(const xt::xarray<double>& pe);
/// Heatmap, dimensions, cosine similarity, distance from position 0.
Figure overview_figure(const xt::xarray<double>& pe);
/// PE(0) . PE(p). `dots` has one value a position.
Figure decay_figure(const std::vector<double>& dots, std::size_t width);

}  // namespace phasor::lab01
