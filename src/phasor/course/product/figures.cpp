#include "phasor/course/product/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

constexpr std::size_t kLinesOfPanel = 4;
constexpr std::size_t kLines = 7;
// Below this a difference is rounding: products of up to 1024 columns, each known to 1e-12.
constexpr double kRounding = 1e-9;

const Axis kPosition = {.title = "position (tokens)"};

std::vector<double> row_of(const xt::xarray<double>& dots, std::size_t distance) {
  std::vector<double> values;
  for (std::size_t i = 0; i + distance < dots.shape(1); ++i) values.push_back(dots(distance, i));
  return values;
}

double spread(const std::vector<double>& values) {
  const auto ends = std::minmax_element(values.begin(), values.end());
  return *ends.second - *ends.first;
}

/// 1, 3, 5 ...; when there are too many, seven of them, evenly spaced.
std::vector<std::size_t> odd_distances(std::size_t positions) {
  const std::size_t count = positions / 2;
  const std::size_t step = (count + kLines - 1) / kLines;
  std::vector<std::size_t> chosen;
  for (std::size_t n = 0; n < count; n += step) chosen.push_back(2 * n + 1);
  return chosen;
}

Panel flat_panel(const xt::xarray<double>& dots, const std::vector<std::size_t>& distances,
                 const Axis& y) {
  LinePanel lines;
  for (const std::size_t distance : distances) {
    const std::vector<double> values = row_of(dots, distance);
    lines.series.push_back({.label = fmt::format("D = {}: {:.4f}", distance, values[0]),
                            .y = values,
                            .mark = Mark::kLineAndPoints});
  }
  const auto last = static_cast<double>(dots.shape(0) - 1);
  return {.title = fmt::format("distances {}", fmt::join(distances, ", ")),
          .x = {.title = "first position i of the pair (i, i + D)", .low = 0, .high = last},
          .y = y,
          .content = lines};
}

/// Everything that fits below and above the lines of both panels.
Axis shared_axis(const xt::xarray<double>& dots, const std::vector<std::size_t>& distances) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::size_t distance : distances)
    for (const double value : row_of(dots, distance)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  const double margin = std::max(0.08 * (high - low), 0.05);
  return {.title = "PE(i) · PE(i + D)", .low = low - margin, .high = high + margin};
}

}  // namespace

xt::xarray<double> dots_of(const xt::xarray<double>& rows) {
  check(rows.dimension() == 2, "[dots_of] rows must have 2 axes, got {}", rows.dimension());
  const std::size_t count = rows.shape(0);
  xt::xarray<double> result = xt::zeros<double>({count, count});
  result.fill(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t distance = 0; distance < count; ++distance) {
    const std::vector<double> dots = dots_at_distance(rows, distance);
    for (std::size_t i = 0; i < dots.size(); ++i) result(distance, i) = dots[i];
  }
  return result;
}

Figure flat_figure(const xt::xarray<double>& dots, std::size_t width) {
  check(dots.dimension() == 2 && dots.shape(0) == dots.shape(1) && dots.shape(0) >= 3,
        "[flat_figure] wants a square matrix of at least 3 positions");
  const std::vector<std::size_t> all = odd_distances(dots.shape(0));
  const auto middle =
      all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kLinesOfPanel));
  const std::vector<std::size_t> near(all.begin(), middle), far(middle, all.end());
  double widest = 0;
  std::vector<double> firsts;
  std::vector<std::string> values;
  for (const std::size_t distance : all) {
    const std::vector<double> row = row_of(dots, distance);
    widest = std::max(widest, spread(row));
    firsts.push_back(row[0]);
    values.push_back(fmt::format("{:.4f} at distance {}", row[0], distance));
  }
  const Axis y = shared_axis(dots, all);
  std::vector<Panel> panels = {flat_panel(dots, near, y)};
  if (!far.empty()) panels.push_back(flat_panel(dots, far, y));
  return {.id = "lab03-flat",
          .claims_id = "D4-F1",
          .title = fmt::format("PE(i) · PE(i + D) for every i, {} positions, width {}",
                               dots.shape(0), width),
          .caption = fmt::format(
              "One line is one distance, one dot one pair. Along a line the product changes by at "
              "most {:.1g}: where the pair is {}. How far apart it is does matter, but a longer "
              "distance need not mean a smaller product: from line to line it grows in {} of {} "
              "steps.",
              widest, widest < kRounding ? "does not matter" : "matters", steps_up(firsts),
              all.size() - 1),
          .alt = fmt::format("{} horizontal lines: {}. No line rises or falls by more than {:.1g}.",
                             all.size(), fmt::join(values, ", "), widest),
          .panels = panels,
          .columns = 2,
          .panel_height = 420};
}

Figure similarity_figure(const xt::xarray<double>& pe) {
  const xt::xarray<double> similarity = cosine_similarity(pe);
  std::vector<double> first;
  for (std::size_t p = 0; p < pe.shape(0); ++p) first.push_back(similarity(0, p));
  const double widest = widest_spread(normalised(pe));
  const auto least = std::min_element(first.begin(), first.end());
  const std::size_t steps = first.size() - 1;
  const std::string numbers = fmt::format(
      "{:.3f}, {:.3f} and {:.3f} at distances 1, 2 and 3, least at distance {}: {:.3f}; {} of {} "
      "steps go up",
      first[1], first[2], first[3], least - first.begin(), *least, steps_up(first), steps);
  const HeatmapPanel map{.values = similarity,
                         .value_title = "cosine similarity",
                         .low = -1,
                         .high = 1,
                         .square = true};
  return {
      .id = "lab03-similarity",
      .claims_id = "D1-F3",
      .title = fmt::format("Cosine similarity of every two positions, {} positions, width {}",
                           pe.shape(0), pe.shape(1)),
      .caption = fmt::format(
          "Along a diagonal the similarity changes by at most {:.1g}: it depends on {}. Along a "
          "row it is {}. {}",
          widest, widest < kRounding ? "the distance alone" : "the place too", numbers,
          *std::min_element(similarity.begin(), similarity.end()) > 0
              ? "Nothing is blue: no two positions point away from each other."
              : "Blue are positions that point away from each other."),
      .alt = fmt::format("Heatmap with diagonal stripes, 1 on the diagonal; and its first row "
                         "as a curve: {}.",
                         numbers),
      .panels = {{.title = "every two positions", .x = kPosition, .y = kPosition, .content = map},
                 {.title = "the first row: similarity by distance",
                  .x = {.title = "distance (tokens)"},
                  .y = {.title = "cosine similarity", .low = 0, .high = 1.05},
                  .content = LinePanel{.series = {{.y = first, .mark = Mark::kLineAndPoints}}}}},
      .columns = 2,
      .panel_height = 470,
      .interaction = Interaction::kMatrix};
}

std::vector<FigureEntry> product_figures() {
  return {{"D4-F1", "lab03", "inner products of all pairs at one distance are one flat line",
           [](const std::filesystem::path&) { return flat_figure(dots_of(sinusoid(15, 8)), 8); }},
          {"D1-F3", "lab03", "cosine similarity of every two positions",
           [](const std::filesystem::path&) { return similarity_figure(sinusoid(24, 32)); }},
          {"D0-F3", "lab03", "range, norm, inner product, L2 distance and near collisions",
           [](const std::filesystem::path&) { return properties_figure(sinusoid(512, 128)); }}};
}

}  // namespace phasor
