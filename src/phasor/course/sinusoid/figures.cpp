// The tables of the documents about the sinusoidal encoding, and the list of all its figures.
#include "phasor/course/sinusoid/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>

#include "phasor/analysis/shift.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/course/sinusoid/claims.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace sinusoids {
namespace {

const Axis kPosition = {.title = "position p (tokens)"};
const Axis kDimension = {.title = "dimension"};
const Axis kValue = {.title = "value", .low = -1.05, .high = 1.05};

/// The columns of `parity` only (0 sines, 1 cosines); the others as they were, 0.
xt::xarray<double> with_columns(const xt::xarray<double>& pe, bool sines, bool cosines) {
  xt::xarray<double> table = pe;
  for (std::size_t p = 0; p < pe.shape(0); ++p)
    for (std::size_t i = 0; i < pe.shape(1); ++i)
      if (!(i % 2 == 0 ? sines : cosines)) table(p, i) = 0;
  return table;
}

Panel stage(const std::string& title, const xt::xarray<double>& table) {
  HeatmapPanel map = {.values = table, .value_title = "value", .low = -1, .high = 1};
  map.decimals = 4;
  for (std::size_t p = 0; p < table.shape(0); ++p) map.row_labels.push_back(fmt::to_string(p));
  for (std::size_t i = 0; i < table.shape(1); ++i) map.column_labels.push_back(fmt::to_string(i));
  return {.title = title, .x = kDimension, .y = kPosition, .content = map};
}

/// sin(x) and cos(x) between the positions, the table's first two columns on them.
LinePanel two_functions(const xt::xarray<double>& pe) {
  Series sine{.label = "sin(p)"}, cosine{.label = "cos(p)"};
  const int last = static_cast<int>(pe.shape(0)) - 1;
  for (int step = 0; step <= 50 * last; ++step) {
    const double x = step / 50.0;
    sine.x.push_back(x);
    cosine.x.push_back(x);
    sine.y.push_back(std::sin(x));
    cosine.y.push_back(std::cos(x));
  }
  return {.series = {sine,
                     cosine,
                     {.y = column_of(pe, 0), .mark = Mark::kPoints, .colour_of = 0},
                     {.y = column_of(pe, 1), .mark = Mark::kPoints, .colour_of = 1}}};
}

Panel clock_panel(const std::vector<double>& waves, std::size_t width) {
  TablePanel table{.columns = {{"dimensions"},
                               {"positions in a turn", true},
                               {"D0 says", true},
                               {"turns in 512 positions", true},
                               {"hand of a clock"}}};
  for (const Clock& clock : kClocks) {
    const double wave = waves[clock.dimension / 2];
    table.rows.push_back({fmt::format("{}-{}", clock.dimension, clock.dimension + 1),
                          {grouped(wave), wave},
                          {grouped(clock.wavelength), clock.wavelength},
                          {fmt::format("{:.3g}", 512 / wave), 512 / wave},
                          std::string(clock.hand)});
  }
  return {.title = fmt::format("five pairs of width {}", width), .content = table};
}

Panel width_panel(const Encoder& encode) {
  const double whole = 2 * std::numbers::pi * kBase;
  TablePanel table{.columns = {{"width", true},
                               {"shortest wave", true},
                               {"pair width/4", true},
                               {"longest wave", true},
                               {fmt::format("share of {}", grouped(whole)), true}}};
  for (const std::size_t width : {8, 32, 64, 128, 256, 512}) {
    const std::vector<double> waves = measured_waves(encode, width);
    const double longest = waves.back();
    table.rows.push_back({{fmt::to_string(width), static_cast<double>(width)},
                          {grouped(waves[0]), waves[0]},
                          {grouped(waves[width / 4]), waves[width / 4]},
                          {grouped(longest), longest},
                          {fmt::format("{:.1f} %", 100 * longest / whole), longest / whole}});
  }
  return {.title = "shortest, middle and longest wave by width (positions)", .content = table};
}

}  // namespace

Figure table_figure(const xt::xarray<double>& pe) {
  const xt::xarray<double> zeros = with_columns(pe, false, false);
  const xt::xarray<double> sines = with_columns(pe, true, false);
  const std::vector<double> waves = measured_waves(pe);
  return {.id = "lab01-table",
          .claims_id = "D2-F1",
          .title = fmt::format("The {} x {} table, step by step", pe.shape(0), pe.shape(1)),
          .caption = fmt::format(
              "First zeros, then the sine of p w in the even columns, then the cosine in the odd "
              "ones. At p = 1 the first pair is ({:.4f}, {:.4f}) and the second ({:.4f}, {:.4f}): "
              "one turn takes {} positions and {}. The curves are sin(p) and cos(p), the dots "
              "columns 0 and 1.",
              pe(1, 0), pe(1, 1), pe(1, 2), pe(1, 3), grouped(waves[0]), grouped(waves[1])),
          .alt = fmt::format(
              "Three tables of {} positions by {} dimensions: all zeros; sines in columns 0 and 2; "
              "cosines added in columns 1 and 3. Column 0 is {:.4f}; column 2 goes from "
              "{:.2f} to {:.2f}. A chart shows sin(p) and cos(p) from 0 to {}.",
              pe.shape(0), pe.shape(1), fmt::join(column_of(pe, 0), ", "), pe(0, 2),
              pe(pe.shape(0) - 1, 2), pe.shape(0) - 1),
          .panels = {stage("1. zeros", zeros),
                     stage("2. sine in the even columns", sines),
                     stage("3. cosine in the odd columns", pe),
                     {.title = "the two functions, pair 0",
                      .x = kPosition,
                      .y = kValue,
                      .content = two_functions(pe)}},
          .columns = 2,
          .panel_height = 320};
}

Figure worked_figure(const xt::xarray<double>& pe) {
  const std::size_t T = pe.shape(0), width = pe.shape(1);
  TablePanel table{.columns = {{"p", true}}};
  for (std::size_t i = 0; i < width; ++i)
    table.columns.push_back({fmt::format("{}(p w{})", i % 2 == 0 ? "sin" : "cos", i / 2), true});
  std::vector<std::string> words;
  for (std::size_t p = 0; p < T; ++p) {
    table.rows.push_back({{fmt::to_string(p), static_cast<double>(p)}});
    std::vector<std::string> row;
    for (std::size_t i = 0; i < width; ++i) {
      row.push_back(fmt::format("{:.2f}", pe(p, i)));
      table.rows.back().push_back({row.back(), pe(p, i)});
    }
    words.push_back(fmt::format("row {}: {}", p, fmt::join(row, ", ")));
  }
  std::vector<std::string> frequencies;
  for (const double wave : measured_waves(pe))
    frequencies.push_back(fmt::format("{:.3g}", 2 * std::numbers::pi / wave));
  return {
      .id = "lab01-worked",
      .claims_id = "D3-T1",
      .title = fmt::format("The encoding of {} positions at width {}", T, width),
      .caption = fmt::format(
          "The frequencies, read back from the first step, are {}. From p = 0 to p = {} the first "
          "sine goes from {:.2f} to {:.2f}, the last from {:.2f} to {:.2f}, or {:.3f} with one "
          "decimal more.",
          fmt::join(frequencies, ", "), T - 1, pe(0, 0), pe(T - 1, 0), pe(0, width - 2),
          pe(T - 1, width - 2), pe(T - 1, width - 2)),
      .alt = fmt::format("A table with one row a position and {} columns, sine and cosine of {} "
                         "frequencies in turn. {}.",
                         width, width / 2, fmt::join(words, "; ")),
      .panels = {{.content = table}}};
}

Figure wavelengths_figure(const Encoder& encode) {
  constexpr std::size_t kWidth = 256;  // the least that has the last pair of the table
  const std::vector<double> waves = measured_waves(encode, kWidth);
  std::vector<std::string> rows;
  for (const Clock& clock : kClocks)
    rows.push_back(fmt::format("{}-{}: {} (D0: {})", clock.dimension, clock.dimension + 1,
                               grouped(waves[clock.dimension / 2]), grouped(clock.wavelength)));
  std::vector<std::string> longest;
  for (const std::size_t width : {8, 32, 64, 128, 256, 512})
    longest.push_back(
        fmt::format("{} at width {}", grouped(measured_waves(encode, width).back()), width));
  const std::string all = fmt::format("{}", fmt::join(longest, ", "));
  return {
      .id = "lab01-wavelengths",
      .claims_id = "D0-T1",
      .title = "How long the waves are",
      .caption = fmt::format(
          "Positions in one turn of a pair, read back from the encoding, beside what D0 says. The "
          "longest wave depends on the width: {}.",
          all),
      .alt = fmt::format("Two tables. Positions in a turn at width {}, dimensions {}. The longest "
                         "wave is {}.",
                         kWidth, fmt::join(rows, "; "), all),
      .panels = {clock_panel(waves, kWidth), width_panel(encode)}};
}

}  // namespace sinusoids

std::vector<FigureEntry> sinusoid_figures() {
  using namespace sinusoids;
  const auto drawn = [](const char* id, const char* title, auto make) {
    return FigureEntry{id, "lab01", title, [make](const std::filesystem::path&) { return make(); }};
  };
  return {
      drawn("D0-F1", "the encoding from four sides, 100 positions, width 128",
            [] { return overview_figure(sinusoid(100, 128)); }),
      drawn("D0-F5", "clocks, one dial for each frequency",
            [] { return clocks_figure(sinusoid(64, 32)); }),
      drawn("D0-T1", "how long the waves are", [] { return wavelengths_figure(sinusoid); }),
      drawn("D1-F2", "heatmap and waves with sliders, 30 positions x 32 dimensions",
            [] { return views_figure(sinusoid(30, 32)); }),
      drawn("D2-F1", "the 5 x 4 table step by step, and the two functions",
            [] { return table_figure(sinusoid(5, 4)); }),
      drawn("D3-F1", "heatmap, 64 positions, width 32",
            [] { return heatmap_figure(sinusoid(64, 32)); }),
      drawn("D3-F2", "the dot product with position 0, 64 positions, width 32",
            [] { return decay_figure(dots_from(sinusoid(64, 32)), 32); }),
      drawn("D3-T1", "the worked example of 4 positions and width 8",
            [] { return worked_figure(sinusoid(4, 8)); }),
  };
}

}  // namespace phasor
