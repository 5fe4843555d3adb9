#include "phasor/course/shift/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "phasor/course/shift/laws.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
/// A double has 16 digits; no difference at all is drawn as that many.
constexpr double kAllDigits = 16;
constexpr std::array<std::size_t, 4> kPairs = {0, 4, 8, 16};

std::vector<double> sines(const xt::xarray<double>& rows, std::size_t p) {
  std::vector<double> values(rows.shape(1) / 2);
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = rows(p, 2 * c);
  return values;
}

/// Entries that are not zero: two in each row.
std::size_t count_filled(const xt::xarray<double>& matrix) {
  return static_cast<std::size_t>(
      std::count_if(matrix.begin(), matrix.end(), [](double value) { return value != 0; }));
}

Panel matrix_panel(int k, const xt::xarray<double>& matrix) {
  return {.title = fmt::format("M_{}: {} of {} entries are not 0", k, count_filled(matrix),
                               matrix.size()),
          .x = {.title = "dimension of PE(p)"},
          .y = {.title = "dimension of PE(p + k)"},
          .content = HeatmapPanel{
              .values = matrix, .value_title = "entry", .low = -1, .high = 1, .square = true}};
}

/// The sines of PE(10) and PE(15), and those of M_5 PE(10) as points that must lie on the latter.
LinePanel moved_panel(const xt::xarray<double>& pe, const xt::xarray<double>& after,
                      std::size_t to) {
  return {.series = {{.label = fmt::format("PE({})", kShiftFrom),
                      .y = sines(pe, kShiftFrom),
                      .dashed = true},
                     {.label = fmt::format("PE({})", to), .y = sines(pe, to)},
                     {.label = fmt::format("M_{} PE({})", to - kShiftFrom, kShiftFrom),
                      .y = sines(after, kShiftFrom),
                      .mark = Mark::kPoints}},
          .key = true};
}

/// [5 laws, 5 offsets]: -log10 of the error.
xt::xarray<double> digits_of_laws(const Evidence& evidence) {
  xt::xarray<double> digits = xt::zeros<double>({kLawNames.size(), kShifts.size()});
  for (std::size_t n = 0; n < kShifts.size(); ++n) {
    const ShiftLaws laws = shift_laws(kShifts[n], evidence);
    const std::array<double, 5> errors = {laws.shift, laws.orthogonal, laws.determinant, laws.group,
                                          laws.inverse};
    for (std::size_t law = 0; law < errors.size(); ++law)
      digits(law, n) =
          errors[law] > 0 ? std::min(kAllDigits, -std::log10(errors[law])) : kAllDigits;
  }
  return digits;
}

/// The least of the first `count` columns.
double least_digits(const xt::xarray<double>& digits, std::size_t count) {
  double least = kAllDigits;
  for (std::size_t law = 0; law < digits.shape(0); ++law)
    for (std::size_t n = 0; n < count; ++n) least = std::min(least, digits(law, n));
  return least;
}

HeatmapPanel digits_panel(const xt::xarray<double>& digits) {
  HeatmapPanel panel{.values = digits,
                     .palette = Palette::kViridis,
                     .value_title = "digits",
                     .low = 0,
                     .high = kAllDigits,
                     .row_labels = kLawNames,
                     .decimals = 1};
  for (const int k : kShifts) panel.column_labels.push_back(fmt::to_string(k));
  return panel;
}

double angle_of_block(const xt::xarray<double>& matrix, std::size_t pair) {
  const double angle = std::atan2(matrix(2 * pair, 2 * pair + 1), matrix(2 * pair, 2 * pair));
  // Just below zero is rounding and not almost a whole turn.
  return angle < -1e-9 ? angle + kTurn : std::abs(angle);
}

Panel turns_by_start(const Evidence& evidence, int k, std::size_t starts, double& spread) {
  const auto offset = static_cast<std::size_t>(k);
  const xt::xarray<double> pe = evidence.encode(starts + offset, kShiftWidth, kShiftBase);
  LinePanel lines;
  spread = 0;
  for (const std::size_t pair : kPairs) {
    Series series{.label = fmt::format("pair {}", pair)};
    for (std::size_t p = 0; p < starts; ++p) {
      series.y.push_back(turns_between(pe, p, p + offset)[pair]);
      spread = std::max(spread, angle_between(series.y[p], series.y[0]));
    }
    lines.series.push_back(series);
  }
  return {.title = fmt::format("from p to p + {}, in the encoding", k),
          .x = {.title = "p (tokens)"},
          .y = {.title = "angle (radians)", .low = 0, .high = kTurn},
          .content = lines};
}

Panel turns_by_length(const Evidence& evidence, int farthest) {
  LinePanel lines;
  for (const std::size_t pair : kPairs) {
    Series series{.label = fmt::format("pair {}", pair)};
    for (int k = 0; k <= farthest; ++k) {
      const double angle = angle_of_block(evidence.shift(k, kShiftWidth, kShiftBase), pair);
      // A line is broken where it comes round.
      if (k > 0 && angle < series.y.back()) {
        series.x.push_back(k - 0.5);
        series.y.push_back(std::nan(""));
      }
      series.x.push_back(k);
      series.y.push_back(angle);
    }
    lines.series.push_back(series);
  }
  return {.title = "of M_k, by k",
          .x = {.title = "k (tokens)"},
          .y = {.title = "angle (radians)", .low = 0, .high = kTurn},
          .content = lines};
}

}  // namespace

Figure shift_matrix_figure(const Evidence& evidence) {
  constexpr int kSmall = 5, kLarge = 100;
  const xt::xarray<double> small = evidence.shift(kSmall, kShiftWidth, kShiftBase);
  const xt::xarray<double> large = evidence.shift(kLarge, kShiftWidth, kShiftBase);
  const std::size_t to = kShiftFrom + kSmall;
  const xt::xarray<double> pe = evidence.encode(to + 1, kShiftWidth, kShiftBase);
  const xt::xarray<double> digits = digits_of_laws(evidence);
  const std::string numbers = fmt::format(
      "at k = {} the five laws hold to {:.1f} digits or more, and over all five k to at least "
      "{:.1f}",
      kShifts[0], least_digits(digits, 1), least_digits(digits, kShifts.size()));
  return {
      .id = "lab02-matrix",
      .claims_id = "D0-F2",
      .title = fmt::format("The shift matrix M_k and its laws (width {}, p = {})", kShiftWidth,
                           kShiftFrom),
      .caption = fmt::format(
          "M_k is nothing but {} rotations along the diagonal, one for each pair; the slow pairs "
          "at the lower right hardly turn. Below, the points of M_{} PE({}) lie on PE({}). The "
          "table counts the digits after the point to which both sides of a law agree in double "
          "precision ({:.0f} also stands for no difference): {}.",
          kShiftWidth / 2, kSmall, kShiftFrom, to, kAllDigits, numbers),
      .alt = fmt::format(
          "Four panels. Heatmaps of M_{} and M_{}, {} and {} of {} entries not zero, all along "
          "the diagonal. Sines of PE({}) and PE({}) by pair, with points of M_{} PE({}) on the "
          "latter. Digits of agreement of five laws at k = {}: {}.",
          kSmall, kLarge, count_filled(small), count_filled(large), small.size(), kShiftFrom, to,
          kSmall, kShiftFrom, fmt::join(kShifts, ", "), numbers),
      .panels = {matrix_panel(kSmall, small),
                 matrix_panel(kLarge, large),
                 {.title = fmt::format("the sines of one encoding, moved by {}", kSmall),
                  .x = {.title = "pair c (dimension 2c)"},
                  .y = {.title = "value", .low = -1.1, .high = 1.1},
                  .content = moved_panel(pe, moved(pe, small), to)},
                 {.title = "to how many digits the laws hold",
                  .x = {.title = "k (tokens)"},
                  .content = digits_panel(digits)}},
      .columns = 2,
      .panel_height = 400};
}

Figure turns_figure(const Evidence& evidence) {
  constexpr int kOffset = 5, kFarthest = 45;  // where all four lines go on for a while
  constexpr std::size_t kStarts = 101;
  double spread = 0;
  const Panel by_start = turns_by_start(evidence, kOffset, kStarts, spread);
  const Panel by_length = turns_by_length(evidence, kFarthest);
  std::vector<std::string> angles;
  for (const Series& series : std::get<LinePanel>(by_start.content).series)
    angles.push_back(fmt::format("{} by {:.3f}", series.label, series.y[0]));
  const std::string numbers =
      fmt::format("from p to p + {} {} radians, with a spread of {:.1e} over {} starts", kOffset,
                  fmt::join(angles, ", "), spread, kStarts);
  return {
      .id = "lab02-turns",
      .title = fmt::format("By how much pairs turn (width {})", kShiftWidth),
      .caption = fmt::format(
          "Flat at the left: the angle depends on the offset and not on the start. Straight at "
          "the right: it grows in proportion to the offset, and a fast pair comes round again. "
          "Pairs turn {}.",
          numbers),
      .alt = fmt::format("Two line charts of angles between 0 and 2 pi for pairs {}. Left, "
                         "against the start, flat lines: {}. Right, against k up to {}, straight "
                         "lines that begin again at 0 when they reach a whole turn.",
                         fmt::join(kPairs, ", "), numbers, kFarthest),
      .panels = {by_start, by_length},
      .columns = 2};
}

std::vector<FigureEntry> shift_figures() {
  return {{"D0-F2", "lab02", "the shift matrix M_k and its laws",
           [](const std::filesystem::path&) { return shift_matrix_figure({}); }}};
}

}  // namespace phasor
