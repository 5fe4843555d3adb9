// The figures of the documents about the sinusoidal encoding itself, drawn from whatever encoding
// they are given. Captions and alt texts are computed from the numbers drawn; `base` is that of the
// encoding, for the title, which names it when it is not 10000.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/course/claim.hpp"
#include "phasor/figure/figure.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor::sinusoids {

inline constexpr double kBase = 10000;

/// D2-F1: the 5 x 4 table before and after each of its two steps, and the two functions.
Figure table_figure(const xt::xarray<double>& pe);
/// D3-T1: the worked example as a table with two decimals.   pe: [T, d].
Figure worked_figure(const xt::xarray<double>& pe);
/// D0-T1, its first part: how long the waves are, pair by pair at width 256 and by width, beside
/// what D0 says of them.
Figure wavelengths_figure(const Encoder& encode);
/// D3-F1: the encoding as a heatmap.
Figure heatmap_figure(const xt::xarray<double>& pe, double base = kBase);
/// A few dimensions over the position.
Figure waves_figure(const xt::xarray<double>& pe, double base = kBase);
/// D0-F5: a dial for each frequency, hands at some of the positions of `pe`.
Figure clocks_figure(const xt::xarray<double>& pe, double base = kBase);
/// D0-F1: heatmap, dimensions, cosine similarity, distance from position 0.
Figure overview_figure(const xt::xarray<double>& pe, double base = kBase);
/// D1-F2: heatmap and waves, with a page where the reader chooses positions and dimensions.
Figure views_figure(const xt::xarray<double>& pe, double base = kBase);
/// D3-F2: PE(0) . PE(p). `dots` has one value a position.
Figure decay_figure(const std::vector<double>& dots, std::size_t width, double base = kBase);

}  // namespace phasor::sinusoids
