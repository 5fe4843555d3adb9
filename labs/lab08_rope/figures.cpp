#include "labs/lab08_rope/figures.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phasor/analysis/frequency.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/course/rope/claims.hpp"

namespace phasor::lab08 {
namespace {

constexpr std::size_t kMapPositions = 48, kMapWidth = 32;
constexpr double kDegrees = 180 / std::numbers::pi;

/// The angle of pair c, in degrees, by which the row (1, 0, 1, 0, ...) is turned at a position.
/// Whole turns are not seen.
std::vector<double> seen_angles(const Rope& rope, double position, std::size_t width) {
  xt::xarray<double> row = xt::zeros<double>({std::size_t{1}, width});
  for (std::size_t c = 0; c < width; c += 2) row(0, c) = 1;
  const xt::xarray<double> turned = rope(row, {position}, kBase, RopePairing::kInterleaved);
  std::vector<double> angles;
  for (std::size_t c = 0; c < width; c += 2)
    angles.push_back(std::atan2(turned(0, c + 1), turned(0, c)));
  return angles;
}

/// How far each pair turns in `steps` positions, in degrees: the angle of one step times the steps.
Series turns_in(const Rope& rope, double steps, std::size_t width) {
  Series series{.label = fmt::format("{:g} steps", steps), .mark = Mark::kLineAndPoints};
  for (const double angle : seen_angles(rope, 1, width))
    series.y.push_back(steps * std::abs(angle) * kDegrees);
  if (steps == 1) series.label = "1 step";
  return series;
}

std::size_t count_above(const std::vector<double>& values, double bound) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [&](double value) { return value >= bound; }));
}

DialPanel dials_of(const Rope& rope, std::size_t width) {
  const std::vector<double> hands = {0, 1, 3, 8, 22, 63};
  DialPanel panel{.hands_title = "position", .columns = 4};
  panel.dials.resize(width / 2);
  for (std::size_t c = 0; c < width / 2; ++c) panel.dials[c].label = fmt::format("pair {}", c);
  for (const double position : hands) {
    panel.hands.push_back(fmt::format("{:g}", position));
    const std::vector<double> angles = seen_angles(rope, position, width);
    for (std::size_t c = 0; c < angles.size(); ++c) panel.dials[c].angles.push_back(angles[c]);
  }
  return panel;
}

/// R_p, column c being basis vector c after the rotation.
xt::xarray<double> matrix_of(const Rope& rope, double position, RopePairing pairing) {
  constexpr std::size_t D = 8;
  xt::xarray<double> matrix =
      transposed(rope(identity(D), std::vector<double>(D, position), kBase, pairing));
  for (double& value : matrix) value += 0.0;  // no -0 in the picture
  return matrix;
}

Panel map_panel(const std::string& title, const xt::xarray<double>& map) {
  const HeatmapPanel content{.values = map, .value_title = "score", .square = true};
  return {.title = title,
          .x = {.title = "key position n (tokens)"},
          .y = {.title = "query position m (tokens)"},
          .content = content};
}

}  // namespace

Figure angles_figure(const Rope& rope) {
  constexpr std::size_t kWidth = 32, kDials = 16;
  LinePanel lines{.key = true};
  for (const double steps : {1.0, 8.0, 64.0}) lines.series.push_back(turns_in(rope, steps, kWidth));
  lines.references = {{"a full turn", 360}};
  const std::vector<double>& far = lines.series.back().y;
  const std::string numbers = fmt::format(
      "In 64 steps pair 0 turns by {:.0f} degrees and pair {} by {:.2f}; {} of {} pairs come round "
      "at least once",
      far.front(), kWidth / 2 - 1, far.back(), count_above(far, 360), kWidth / 2);
  return {.id = "lab08-angles",
          .title = "Every pair turns at its own speed",
          .caption = fmt::format(
              "{}. The dials show pairs of a head of width {}: a hand is where (1, 0) points after "
              "the rotation to that position, clockwise from twelve.",
              numbers, kDials),
          .alt = fmt::format("A line chart of the angle against the pair, on a logarithmic axis: "
                             "straight falling lines for 1, 8 and 64 steps. {}. Below, {} dials "
                             "with hands for positions 0 to 63; on the last dial they lie within "
                             "{:.1f} degrees.",
                             numbers, kDials / 2, seen_angles(rope, 63, kDials).back() * kDegrees),
          .panels = {{.title = fmt::format("angle by pair, width {}", kWidth),
                      .x = {.title = "pair c"},
                      .y = {.title = "angle (degrees)", .log_base = 10},
                      .content = lines},
                     {.title = fmt::format("directions by position, width {}", kDials),
                      .content = dials_of(rope, kDials)}},
          .columns = 1,
          .panel_height = 430};
}

Figure matrices_figure(const Rope& rope) {
  constexpr double kPosition = 30;
  const xt::xarray<double> interleaved = matrix_of(rope, kPosition, RopePairing::kInterleaved);
  const xt::xarray<double> half = matrix_of(rope, kPosition, RopePairing::kHalf);
  const auto panel = [](const std::string& title, const xt::xarray<double>& matrix) {
    const HeatmapPanel content{.values = matrix,
                               .value_title = "entry",
                               .low = -1,
                               .high = 1,
                               .decimals = 2,
                               .square = true};
    return Panel{.title = title,
                 .x = {.title = "column of the row before"},
                 .y = {.title = "column after"},
                 .content = content};
  };
  std::size_t filled = 0;
  for (const double value : interleaved) filled += value != 0;
  const double change = largest_difference(product(interleaved, transposed(interleaved)),
                                           identity(interleaved.shape(0)));
  const std::string numbers = fmt::format(
      "{} of 64 entries are not zero; the matrix times its transpose is the identity to {:.0e}",
      filled, change);
  return {
      .id = "lab08-matrices",
      .title = fmt::format("The rotation of position {:g} as a matrix, width 8", kPosition),
      .caption = fmt::format("Left, pairs of neighbours: blocks of two by two on the diagonal. "
                             "Right, pairs of columns c and c + 4: the same numbers elsewhere. {}.",
                             numbers),
      .alt = fmt::format(
          "Two matrices of 8 by 8. Left: four blocks on the diagonal, the first ({:.2f}, {:.2f}; "
          "{:.2f}, {:.2f}), the last ({:.2f}, {:.2f}; {:.2f}, {:.2f}). Right: the same entries on "
          "the diagonal and four columns beside it. {}.",
          interleaved(0, 0), interleaved(0, 1), interleaved(1, 0), interleaved(1, 1),
          interleaved(6, 6), interleaved(6, 7), interleaved(7, 6), interleaved(7, 7), numbers),
      .panels = {panel("interleaved: columns 2c and 2c + 1", interleaved),
                 panel("half: columns c and c + 4", half)},
      .columns = 2,
      .panel_height = 500};
}

StripeMaps stripe_maps(const Written& written) {
  const std::vector<double> positions = counted(kMapPositions);
  const RopePairing pairing = RopePairing::kInterleaved;
  const xt::xarray<double> ones = xt::ones<double>({kMapPositions, kMapWidth});
  const xt::xarray<double> turned = written.forward(ones, positions, kBase, pairing);
  const xt::xarray<double> pe = sinusoid(kMapPositions, kMapWidth, kBase);
  Rng rng(1, "content");  // as in content_map
  const xt::xarray<double> pair = normal_rows(2, kMapWidth, 1, rng);
  const xt::xarray<double> q = repeated_row(pair, 0, kMapPositions) + pe;
  const xt::xarray<double> k = repeated_row(pair, 1, kMapPositions) + pe;
  return {.rotated_ones = score_map(turned, turned),
          .rotated_content = content_map(written, pairing, kMapPositions, kMapWidth),
          .added_alone = score_map(pe, pe),
          .added_content = score_map(q, k)};
}

Figure stripes_figure(const StripeMaps& maps) {
  const auto share = [](const xt::xarray<double>& map) {
    return relative_spread_on_diagonals(map);
  };
  const double rotated = std::max(share(maps.rotated_ones), share(maps.rotated_content));
  const double alone = share(maps.added_alone), added = share(maps.added_content);
  const std::vector<double> all = {share(maps.rotated_ones), share(maps.rotated_content), alone,
                                   added};
  const auto unbroken = all.size() - count_above(all, 0.01);  // finer is not seen
  const std::string numbers = fmt::format(
      "Along a diagonal the rotated scores vary by at most {:.0e} of the largest score, with and "
      "without content; sinusoids alone by {:.0e}; sinusoids added to content by {:.2f}",
      rotated, alone, added);
  return {.id = "lab08-stripes",
          .title = fmt::format("Score of every query with every key, one content everywhere, {} "
                               "positions",
                               maps.added_alone.shape(0)),
          .caption = fmt::format("{}. A stripe is an offset: only where stripes run unbroken is a "
                                 "score a function of how far apart two tokens are.",
                                 numbers),
          .alt = fmt::format("Four heatmaps of scores over query and key position. In {} of them "
                             "diagonal stripes run unbroken. {}.",
                             unbroken, numbers),
          .panels = {map_panel("rotated: ones", maps.rotated_ones),
                     map_panel("rotated: random content", maps.rotated_content),
                     map_panel("sinusoids alone", maps.added_alone),
                     map_panel("sinusoids added to the same content", maps.added_content)},
          .columns = 2,
          .panel_height = 460};
}

Figure normaliser_figure(const Rope& rope) {
  const Rotation rotate = [&](const xt::xarray<double>& rows, const std::vector<double>& positions,
                              double base) {
    return rope(rows, positions, base, RopePairing::kInterleaved);
  };
  Figure figure{.id = "lab08-normaliser",
                .title = "Linear attention: what rotating the normaliser would do",
                .columns = 2};
  std::vector<std::string> words;
  const auto add = [&](const std::string& name, FeatureMap features) {
    const TurnedSums sums = turned_sums(rotate, features, 8);
    std::vector<double> ratio;
    for (std::size_t m = 0; m < sums.plain.denominators.size(); ++m)
      ratio.push_back(sums.turned.denominators[m] / sums.plain.denominators[m]);
    const auto wrong = ratio.size() - count_above(ratio, 1e-300);
    words.push_back(
        fmt::format("with {} the smallest is {:.2f} times what it should be, and {} of "
                    "{} are zero or negative",
                    name, *std::min_element(ratio.begin(), ratio.end()), wrong, ratio.size()));
    figure.panels.push_back(
        {.title = "features " + name,
         .x = {.title = "query position m (tokens)"},
         .y = {.title = "rotated / unrotated denominator"},
         .content = LinePanel{.series = {{.label = "queries", .y = ratio, .mark = Mark::kPoints}},
                              .references = {{"1: as it should be", 1}, {"0: no sum left", 0}},
                              .key = true}});
  };
  add("elu(x) + 1", elu_features);
  add("exp(x)", exp_features);
  figure.caption = fmt::format(
      "Heads of width 8. A denominator sums positive numbers, and divides. Rotated, its terms are "
      "cosines of angles and cancel: {}. So only the numerator is rotated.",
      fmt::join(words, "; "));
  figure.alt = fmt::format(
      "Two charts of the ratio of rotated to unrotated denominators over 512 positions, with "
      "lines at 0 and 1. The points start at 1 and then lie mostly below it: {}.",
      fmt::join(words, "; "));
  return figure;
}

}  // namespace phasor::lab08
