// The sinusoidal encoding as pictures: what each figure shows is said in the header.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "phasor/analysis/similarity.hpp"
#include "phasor/course/sinusoid/claims.hpp"
#include "phasor/course/sinusoid/figures.hpp"

namespace phasor::sinusoids {
namespace {

const Axis kPosition = {.title = "position p (tokens)"};
const Axis kDimension = {.title = "dimension"};
const Axis kValue = {.title = "value", .low = -1.05, .high = 1.05};

std::size_t index_of(std::vector<double>::const_iterator place, const std::vector<double>& values) {
  return static_cast<std::size_t>(place - values.begin());
}

std::size_t sign_changes(const std::vector<double>& values) {
  std::size_t count = 0;
  for (std::size_t p = 1; p < values.size(); ++p) count += (values[p] < 0) != (values[p - 1] < 0);
  return count;
}

double lowest(const xt::xarray<double>& pe) { return *std::min_element(pe.begin(), pe.end()); }
double highest(const xt::xarray<double>& pe) { return *std::max_element(pe.begin(), pe.end()); }

HeatmapPanel encoding_map(const xt::xarray<double>& pe) {
  return {.values = pe, .value_title = "value", .low = -1, .high = 1};
}

/// "0.000 to 0.011".
std::string range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{:.3f} to {:.3f}", *low, *high);
}

/// At most six positions, close together at first: 0, then a geometric progression to the last.
std::vector<std::size_t> hand_positions(std::size_t positions) {
  std::set<std::size_t> chosen = {0};
  const double last = static_cast<double>(positions - 1);
  for (int i = 0; i <= 4 && positions > 1; ++i)
    chosen.insert(static_cast<std::size_t>(std::lround(std::pow(last, i / 4.0))));
  return {chosen.begin(), chosen.end()};
}

/// What a title adds when the base is not the usual one.
std::string base_note(double base) {
  return base == kBase ? std::string() : fmt::format(", base {:g}", base);
}

std::string turn(double wavelength) {
  if (!std::isfinite(wavelength)) return "infinitely many";
  return fmt::format("{:.{}f}", wavelength, wavelength < 100 ? 1 : 0);
}

/// "6.3, 63 and 628".
std::string listed(const std::vector<std::string>& words) {
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

/// "10" when all are the same, otherwise "10, 9 and 8".
std::string ratios_in_words(const std::vector<std::string>& ratios) {
  if (std::set<std::string>(ratios.begin(), ratios.end()).size() == 1) return ratios[0];
  return listed(ratios);
}

std::vector<Series> dimensions(const xt::xarray<double>& pe,
                               const std::vector<std::size_t>& chosen) {
  std::vector<Series> series;
  for (const std::size_t i : chosen)
    series.push_back({.label = fmt::format("dim {}", i), .y = column_of(pe, i)});
  return series;
}

/// How much the values on a diagonal differ, for the diagonal where they differ most.
double spread_on_diagonals(const xt::xarray<double>& matrix) {
  double widest = 0;
  for (std::size_t distance = 0; distance < matrix.shape(0); ++distance) {
    double low = matrix(0, distance), high = low;
    for (std::size_t p = 0; p + distance < matrix.shape(0); ++p) {
      low = std::min(low, matrix(p, p + distance));
      high = std::max(high, matrix(p, p + distance));
    }
    widest = std::max(widest, high - low);
  }
  return widest;
}

std::vector<Panel> overview_panels(const xt::xarray<double>& pe,
                                   const xt::xarray<double>& similarity,
                                   const std::vector<double>& distance) {
  const LinePanel chosen{.series = dimensions(pe, {0, 1, 10, 11, 50, 51}), .key = true};
  const HeatmapPanel cosines{.values = similarity,
                             .palette = Palette::kViridis,
                             .value_title = "cosine of the angle",
                             .square = true};
  const Axis from_zero{.title = "L2 distance", .low = 0};
  return {{.title = "values", .x = kDimension, .y = kPosition, .content = encoding_map(pe)},
          {.title = "six dimensions", .x = kPosition, .y = kValue, .content = chosen},
          {.title = "cosine similarity", .x = kPosition, .y = kPosition, .content = cosines},
          {.title = "distance from position 0",
           .x = kPosition,
           .y = from_zero,
           .content = LinePanel{.series = {{.y = distance}}}}};
}

}  // namespace

Figure heatmap_figure(const xt::xarray<double>& pe, double base) {
  const std::size_t width = pe.shape(1), middle = width / 4 * 2;
  const std::size_t fast = sign_changes(column_of(pe, 0));
  const std::string slowest = range_of(column_of(pe, width - 2));
  const std::size_t slow = sign_changes(column_of(pe, width - 2));
  return {
      .id = "lab01-heatmap",
      .claims_id = "D3-F1",
      .title = fmt::format("Sinusoidal encoding, {} positions, width {}{}", pe.shape(0), width,
                           base_note(base)),
      .caption = fmt::format(
          "One row is what is added to the token at that position. Sign changes: {} in "
          "dimension 0, at the left; {} in dimension {}, at the right, whose values go from {}.",
          fast, slow, width - 2, slowest),
      .alt = fmt::format(
          "Heatmap of {} positions by {} dimensions, values from {:.2f} to {:.2f}. From left "
          "to right there are {} sign changes in dimension 0, {} in dimension {} and {} in "
          "dimension {}. The last two columns hold values from {} and from {}.",
          pe.shape(0), width, lowest(pe), highest(pe), fast, sign_changes(column_of(pe, middle)),
          middle, slow, width - 2, slowest, range_of(column_of(pe, width - 1))),
      .panels = {{.x = kDimension, .y = kPosition, .content = encoding_map(pe)}},
      .panel_height = 560};
}

Figure waves_figure(const xt::xarray<double>& pe, double base) {
  const std::size_t width = pe.shape(1), step = width / 4;
  const std::vector<double> wavelength = measured_waves(pe);
  LinePanel lines{.series = dimensions(pe, {0, step, 2 * step, 3 * step}), .key = true};
  std::vector<std::string> words, waves, ratios;
  for (std::size_t n = 0; n < lines.series.size(); ++n) {
    const std::string turns = turn(wavelength[n * step / 2]);
    waves.push_back(turns);
    if (n > 0)
      ratios.push_back(
          fmt::format("{:.3g}", wavelength[n * step / 2] / wavelength[(n - 1) * step / 2]));
    lines.series[n].label += fmt::format(", wave {}", turns);
    words.push_back(
        fmt::format("dimension {} repeats every {} positions and changes its sign {} times",
                    n * step, turns, sign_changes(lines.series[n].y)));
  }
  return {
      .id = "lab01-waves",
      .claims_id = "",
      .title = fmt::format("Four sine dimensions over {} positions, width {}{}", pe.shape(0), width,
                           base_note(base)),
      .caption = fmt::format(
          "The waves are {} positions long, read back from the first step: each is {} times as "
          "long as the one before it. A wave much longer than the text is a slope that says how "
          "far along a position is.",
          listed(waves), ratios_in_words(ratios)),
      .alt = fmt::format("Line chart: {}.", fmt::join(words, "; ")),
      .panels = {{.x = kPosition, .y = kValue, .content = lines}}};
}

Figure clocks_figure(const xt::xarray<double>& pe, double base) {
  const std::size_t width = pe.shape(1);
  const std::vector<double> wavelength = measured_waves(pe);
  const std::vector<std::size_t> hands = hand_positions(pe.shape(0));
  DialPanel dials{.hands_title = "position",
                  .columns = std::min<std::size_t>(wavelength.size(), 4)};
  for (const std::size_t p : hands) dials.hands.push_back(fmt::to_string(p));
  for (std::size_t k = 0; k < wavelength.size(); ++k) {
    Dial dial{.label = fmt::format("pair {}: turn in {}", k, turn(wavelength[k]))};
    // The angle is read back from the encoding: the pair is a point on the dial.
    for (const std::size_t p : hands)
      dial.angles.push_back(std::atan2(pe(p, 2 * k), pe(p, 2 * k + 1)));
    dials.dials.push_back(dial);
  }
  const std::size_t rows = (wavelength.size() + dials.columns - 1) / dials.columns;
  const double degrees = 360 * static_cast<double>(hands.back()) / wavelength.back();
  const std::string speeds = fmt::format(
      "The first dial turns once in {} positions, the last once in {}, so that at position {} it "
      "has moved {:.1f} degrees",
      turn(wavelength.front()), turn(wavelength.back()), hands.back(), degrees);
  return {.id = "lab01-clocks",
          .claims_id = "D0-F5",
          .title = fmt::format("{} clocks, one for each pair of dimensions (width {}{})",
                               wavelength.size(), width, base_note(base)),
          .caption =
              fmt::format("A hand points to its pair (sine to the right, cosine upwards); lengths "
                          "differ only to keep hands apart. {}. One hand a position: the hands of "
                          "one colour are that position's row.",
                          speeds),
          .alt = fmt::format("{} dials, each with hands for positions {}. {}.", wavelength.size(),
                             fmt::join(hands, ", "), speeds),
          .panels = {{.content = dials}},
          .panel_height = 40 + 190 * static_cast<double>(rows)};
}

Figure overview_figure(const xt::xarray<double>& pe, double base) {
  const xt::xarray<double> similarity = cosine_similarity(pe);
  const std::vector<double> distance = distances_from(pe);
  const std::size_t last = pe.shape(0) - 1;
  const double least = lowest(similarity), spread = spread_on_diagonals(similarity);
  const std::string only_distance =  // 1e-9: rounding, and no more
      spread < 1e-9 ? ": only the distance of two positions counts" : "";
  const std::size_t farthest =
      index_of(std::max_element(distance.begin(), distance.end()), distance);
  return {
      .id = "lab01-overview",
      .claims_id = "D0-F1",
      .title = fmt::format("The encoding from four sides, {} positions, width {}{}", pe.shape(0),
                           pe.shape(1), base_note(base)),
      .caption = fmt::format(
          "Along a diagonal of the similarity matrix values differ by at most {:.1g}{}. The least "
          "similarity is {:.3f}. The distance from "
          "position 0 is {:.2f} after ten steps, goes down in {} of {} steps, and is largest, "
          "{:.2f}, at p = {}.",
          spread, only_distance, least, distance[10], last - steps_up(distance), last,
          distance[farthest], farthest),
      .alt = fmt::format(
          "Four panels. Heatmap with values from {:.2f} to {:.2f}. Curves of dimensions 0, 1, 10, "
          "11, 50 and 51, with {} to {} sign changes. Cosine similarity matrix, 1 on the diagonal, "
          "at least {:.3f}; along a diagonal values differ by at most {:.1g}. Distance from "
          "position 0: {:.2f} at p = 1, {:.2f} at p = 10, {:.2f} at p = {}.",
          lowest(pe), highest(pe), sign_changes(column_of(pe, 51)), sign_changes(column_of(pe, 0)),
          least, spread, distance[1], distance[10], distance[last], last),
      .panels = overview_panels(pe, similarity, distance),
      .columns = 2,
      .panel_height = 420};
}

Figure decay_figure(const std::vector<double>& dots, std::size_t width, double base) {
  const std::size_t least = index_of(std::min_element(dots.begin(), dots.end()), dots);
  const std::size_t steps = dots.size() - 1;
  const std::string numbers = fmt::format(
      "It starts at {:.2f}, is {:.2f}, {:.2f}, {:.2f} after one, two and three steps, and least at "
      "p = {}: {:.2f}, {:.0f} % of the start. {} of {} steps go up",
      dots[0], dots[1], dots[2], dots[3], least, dots[least], 100 * dots[least] / dots[0],
      steps_up(dots), steps);
  const std::optional<double> bottom = dots[least] < 0 ? std::nullopt : std::optional(0.0);
  std::string course;
  if (dots.back() < dots.front())
    course = steps_up(dots) > 0 ? " falls, but not at every step" : " falls at every step";
  return {
      .id = "lab01-decay",
      .claims_id = "D3-F2",
      .title = fmt::format("PE(0) · PE(p), {} positions, width {}{}", dots.size(), width,
                           base_note(base)),
      .caption = fmt::format("The dot product with position 0{}. {}.", course, numbers),
      .alt = fmt::format("Line chart of the dot product over the position. {}.", numbers),
      .panels = {{.x = kPosition,
                  .y = {.title = "dot product", .low = bottom},
                  .content = LinePanel{.series = {{.y = dots, .mark = Mark::kLineAndPoints}}}}}};
}

Figure views_figure(const xt::xarray<double>& pe, double base) {
  const std::size_t T = pe.shape(0), width = pe.shape(1);
  std::vector<std::size_t> chosen;  // at most six, the first and the last pair among them
  for (std::size_t n = 0; n < 6; ++n) chosen.push_back(n * (width / 2 - 1) / 5 * 2);
  std::vector<std::string> words;
  for (const std::size_t i : chosen)
    words.push_back(fmt::format("{} in dimension {}", sign_changes(column_of(pe, i)), i));
  std::set<std::vector<double>> rows;
  for (std::size_t p = 0; p < T; ++p) {
    std::vector<double> row;
    for (std::size_t i = 0; i < width; ++i) row.push_back(pe(p, i));
    rows.insert(row);
  }
  const std::string numbers =
      fmt::format("Sign changes over {} positions: {}. The {} rows are {} different ones", T,
                  fmt::join(words, ", "), T, rows.size());
  return {
      .id = "lab01-views",
      .claims_id = "D1-F2",
      .title = fmt::format("Heatmap and waves, {} positions x {} dimensions{}", T, width,
                           base_note(base)),
      .caption = fmt::format("The same numbers twice: one row of the heatmap is one position, one "
                             "wave is one of its columns. {}.",
                             numbers),
      .alt = fmt::format("A heatmap of {} positions by {} dimensions with values from {:.2f} to "
                         "{:.2f}, and six sine dimensions as curves. {}.",
                         T, width, lowest(pe), highest(pe), numbers),
      .panels = {{.title = "heatmap", .x = kDimension, .y = kPosition, .content = encoding_map(pe)},
                 {.title = "waves",
                  .x = kPosition,
                  .y = kValue,
                  .content = LinePanel{.series = dimensions(pe, chosen)}}},
      .columns = 1,
      .interaction = Interaction::kViews};
}

}  // namespace phasor::sinusoids
