#include "labs/lab04_design/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/gram.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/course/claim.hpp"

namespace phasor::lab04 {
namespace {

const Axis kPosition = {.title = "position (tokens)"};

/// Distances between all rows as shares of the mean length of a row, to four decimals: more than a
/// map can show.
xt::xarray<double> distance_map(const xt::xarray<double>& rows) {
  const std::vector<double> lengths = norms(rows);
  double mean = 0;
  for (const double length : lengths) mean += length / static_cast<double>(lengths.size());
  auto map = xt::xarray<double>::from_shape({lengths.size(), lengths.size()});
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    const std::vector<double> distances = distances_from(rows, p);
    for (std::size_t q = 0; q < lengths.size(); ++q)
      map(p, q) = std::round(1e4 * distances[q] / mean) / 1e4;
  }
  return map;
}

/// The smallest distance on the map between positions that are at least `apart` apart.
struct Nearest {
  std::size_t first = 0, second = 0;
  double distance = 1e300;
};
Nearest nearest_on(const xt::xarray<double>& map, std::size_t apart) {
  Nearest nearest;
  for (std::size_t p = 0; p < map.shape(0); ++p)
    for (std::size_t q = p + apart; q < map.shape(1); ++q)
      if (map(p, q) < nearest.distance) nearest = {p, q, map(p, q)};
  return nearest;
}

constexpr std::array<double, 6> kSweep = {10, 100, 1000, 1e4, 1e5, 1e6};
constexpr std::array<double, 6> kMapBases = {1, 10, 100, 1000, 1e4, 1e5};
constexpr std::array<std::size_t, 6> kMapWidths = {2, 4, 8, 16, 32, 64};
constexpr std::size_t kSweepWidth = 128;
constexpr double kLength = 128;  // positions that the longest wave is to fit

std::string power(double base) {
  return base < 1000 ? fmt::format("{:g}", base) : fmt::format("1e{:g}", std::log10(base));
}

Panel sweep_panel() {
  LinePanel lines{.key = true};
  for (const double base : kSweep) {
    const std::vector<double> w = frequencies(kSweepWidth, base);
    Series series{.label = fmt::format("base {}", power(base))};
    double last = 0;
    for (int n = 0; n <= 160; ++n) {
      const double distance = std::round(std::pow(10, n / 40.0));
      if (distance == last) continue;
      last = distance;
      series.x.push_back(distance);
      series.y.push_back(sum_of_cosines(distance, w) / static_cast<double>(w.size()));
    }
    lines.series.push_back(series);
  }
  return {.title = fmt::format("similarity by distance, width {}", kSweepWidth),
          .x = {.title = "distance (tokens)", .log_base = 10},
          .y = {.title = "cosine similarity"},
          .content = lines};
}

HeatmapPanel nearest_map(std::size_t positions) {
  HeatmapPanel map{.values = xt::zeros<double>({kMapWidths.size(), kMapBases.size()}),
                   .palette = Palette::kViridis,
                   .value_title = "distance / row length",
                   .low = 0,
                   .decimals = 3};
  for (const double base : kMapBases) map.column_labels.push_back(power(base));
  for (std::size_t row = 0; row < kMapWidths.size(); ++row) {
    map.row_labels.push_back(fmt::to_string(kMapWidths[row]));
    const double length = std::sqrt(static_cast<double>(kMapWidths[row]) / 2);
    for (std::size_t column = 0; column < kMapBases.size(); ++column)
      map.values(row, column) =
          nearest_to_first(sinusoid(positions, kMapWidths[row], kMapBases[column])).distance /
          length;
  }
  return map;
}

Panel wave_panel() {
  const double rule = kLength / (2 * std::acos(-1.0));
  Series usual{.label = "base 10000"}, ruled{.label = "base T / 2 pi"},
      exact{.label = "fitting base"};
  for (std::size_t width = 4; width <= 128; width += 4) {
    const auto d = static_cast<double>(width);
    for (Series* series : {&usual, &ruled, &exact}) series->x.push_back(d);
    usual.y.push_back(wavelengths(width, 10000).back());
    ruled.y.push_back(wavelengths(width, rule).back());
    exact.y.push_back(wavelengths(width, std::pow(rule, d / (d - 2))).back());
  }
  return {.title = fmt::format("longest wave; T = {:g}", kLength),
          .x = {.title = "width d (columns)"},
          .y = {.title = "longest wave (tokens)", .log_base = 10},
          .content = LinePanel{.series = {usual, ruled, exact}, .key = true}};
}

/// How many of the waves lie in each factor of ten above 2 pi.
BarGroup decades(const std::string& label, const std::vector<double>& frequencies) {
  BarGroup group{.label = label, .values = std::vector<double>(4, 0)};
  for (const double w : frequencies) {
    const auto decade = static_cast<std::size_t>(-std::log10(w) + 1e-6);
    if (decade < 4) ++group.values[decade];
  }
  return group;
}

Panel decade_panel() {
  std::vector<double> linear;
  for (int k = 1; k <= 32; ++k) linear.push_back(k / 32.0);
  const BarPanel bars{
      .categories = {"6 to 63", "63 to 628", "628 to 6283", "6283 up"},
      .groups = {decades("geometric", frequencies(64, 10000)), decades("linear", linear)}};
  return {.title = "pairs by wavelength, width 64",
          .x = {.title = "wavelength (tokens)"},
          .y = {.title = "pairs"},
          .content = bars};
}

}  // namespace

Figure collisions_figure(const std::vector<DesignRows>& designs) {
  constexpr std::size_t kApart = 20;
  std::vector<Panel> panels;
  std::vector<std::string> nearest;
  for (const DesignRows& design : designs) {
    const xt::xarray<double> map = distance_map(design.rows);
    const Nearest near = nearest_on(map, kApart);
    nearest.push_back(fmt::format("{}: {:.3f} between {} and {}", design.title, near.distance,
                                  near.first, near.second));
    panels.push_back({.title = design.title,
                      .x = kPosition,
                      .y = kPosition,
                      .content = HeatmapPanel{.values = map,
                                              .palette = Palette::kViridis,
                                              .value_title = "distance / row length",
                                              .low = 0,
                                              .high = 1.5,
                                              .square = true}});
  }
  const std::string numbers = fmt::format("{}", fmt::join(nearest, "; "));
  const std::size_t positions = designs.front().rows.shape(0);
  return {.id = "lab04-collisions",
          .claims_id = "",
          .title = fmt::format("How far apart every two of {} positions are, width {}", positions,
                               designs.front().rows.shape(1)),
          .caption = fmt::format(
              "Dark is near: what the encoding hardly tells apart. Only the diagonal should be "
              "dark. Nearest of the positions {} or more apart: {}.",
              kApart, numbers),
          .alt = fmt::format("{} maps of {} by {} positions, dark on the diagonal. Nearest of the "
                             "positions {} or more apart: {}.",
                             designs.size(), positions, positions, kApart, numbers),
          .panels = panels,
          .columns = 3,
          .panel_height = 370};
}

Figure bases_figure(std::size_t positions) {
  const HeatmapPanel map = nearest_map(positions);
  const auto usual = static_cast<std::size_t>(std::find(kMapBases.begin(), kMapBases.end(), 1e4) -
                                              kMapBases.begin());
  const double rule = kLength / (2 * std::acos(-1.0));
  const std::string numbers = fmt::format(
      "With base 10000 the nearest two of {} positions are {:.0e} row lengths apart at width 2, "
      "never 0, {:.3f} at width 8 and {:.3f} at width 64. Base T / (2 pi) = {:.1f} for T = {:g} "
      "gives a longest wave of {:.0f} at "
      "width 8 and {:.0f} at width 128",
      positions, map.values(0, usual), map.values(2, usual), map.values(5, usual), rule, kLength,
      wavelengths(8, rule).back(), wavelengths(128, rule).back());
  return {.id = "lab04-bases",
          .claims_id = "",
          .title = "What the base decides, and the spacing",
          .caption = fmt::format(
              "The base sets how far the fall of the similarity is stretched; none is sacred. {}. "
              "Geometric spacing gives every factor of ten its share of pairs, linear spacing "
              "crowds them at the short end.",
              numbers),
          .alt = fmt::format("Four panels: curves that fall the later the larger the base; a table "
                             "of nearest distances, from {:.5f} at width 2 up; longest waves by "
                             "width; bars of pairs by wavelength. {}.",
                             map.values(0, usual), numbers),
          .panels = {sweep_panel(),
                     {.title = fmt::format("nearest two of {} positions", positions),
                      .x = {.title = "base"},
                      .y = {.title = "width"},
                      .content = map},
                     wave_panel(),
                     decade_panel()},
          .columns = 2};
}

Figure fourier_figure(const xt::xarray<double>& geometric) {
  const std::size_t positions = geometric.shape(0), width = geometric.shape(1);
  const std::size_t place = positions / 2;
  const xt::xarray<double> fourier = encoding_of(fourier_angle(positions), positions, width);
  const Frame ours = frame_of(geometric), theirs = frame_of(fourier);
  const auto cosines = [](const std::string& title, const xt::xarray<double>& columns) {
    return Panel{.title = title,
                 .x = {.title = "column"},
                 .y = {.title = "column"},
                 .content = HeatmapPanel{.values = column_cosines(columns),
                                         .value_title = "cosine",
                                         .low = -1,
                                         .high = 1,
                                         .square = true}};
  };
  const auto rebuilt = [place](const std::string& label, const xt::xarray<double>& columns) {
    const xt::xarray<double> values = rebuilt_impulse(columns, place);
    return Series{.label = label, .y = {values.begin(), values.end()}};
  };
  const std::string numbers = fmt::format(
      "With geometric spacing the cosine between two columns reaches 1 - {:.0e}; of the {} "
      "singular values {} are above {:.0f} % of the largest, and what belongs to these rebuilds "
      "{:.0f} % of an impulse at position {}. With Fourier's equal steps of 2 pi/{} it is {:.0e}, "
      "{} and {:.0f} %",
      1 - ours.largest_cosine, width, ours.directions, 100 * kWeak, 100 * ours.impulse_energy,
      place, positions, theirs.largest_cosine, theirs.directions, 100 * theirs.impulse_energy);
  return {.id = "lab04-fourier",
          .claims_id = "",
          .title = fmt::format("Is it a Fourier basis? {} positions, {} columns", positions, width),
          .caption = fmt::format("{}. The slow waves are too slow: over this many positions they "
                                 "are nearly the same straight line.",
                                 numbers),
          .alt = fmt::format("Two maps of cosines between columns: geometric spacing has a large "
                             "block far from 0, Fourier's has a diagonal only; and curves of the "
                             "rebuilt impulse. {}.",
                             numbers),
          .panels = {cosines("geometric spacing", geometric),
                     cosines("Fourier's spacing", fourier),
                     {.title = "an impulse, rebuilt",
                      .x = kPosition,
                      .y = {.title = "value"},
                      .content = LinePanel{.series = {rebuilt("geometric", geometric),
                                                      rebuilt("Fourier", fourier)},
                                           .key = true}}},
          .columns = 3,
          .panel_width = 480,
          .panel_height = 400};
}

}  // namespace phasor::lab04
