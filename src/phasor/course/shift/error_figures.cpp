#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "phasor/course/shift/figures.hpp"
#include "phasor/course/shift/laws.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {
namespace {

/// Whole numbers from 1 to 1000, about as far apart as they are large, with those of D0.
std::vector<int> many_offsets() {
  std::set<int> offsets(kShifts.begin(), kShifts.end());
  for (int n = 0; n <= 36; ++n)
    offsets.insert(static_cast<int>(std::lround(std::pow(10, n / 12.0))));
  return {offsets.begin(), offsets.end()};
}

/// The length of every row of PE(p + k) - M_k PE(p), p = 1 .. starts.
std::vector<double> errors_in_double(int k, std::size_t starts, const Evidence& evidence) {
  const auto offset = static_cast<std::size_t>(k);
  const xt::xarray<double> pe = evidence.encode(starts + offset + 1, kShiftWidth, kShiftBase);
  const xt::xarray<double> from = xt::view(pe, xt::range(std::size_t{1}, starts + 1), xt::all());
  const xt::xarray<double> after = moved(from, evidence.shift(k, kShiftWidth, kShiftBase));
  std::vector<double> errors(starts);
  for (std::size_t p = 0; p < starts; ++p) {
    double sum = 0;
    for (std::size_t i = 0; i < kShiftWidth; ++i) {
      const double difference = pe(p + 1 + offset, i) - after(p, i);
      sum += difference * difference;
    }
    errors[p] = std::sqrt(sum);
  }
  return errors;
}

std::vector<double> errors_in_float(int k, std::size_t starts) {
  std::vector<double> errors(starts);
  for (std::size_t p = 0; p < starts; ++p)
    errors[p] = shift_error_in_float(static_cast<double>(p + 1), k, kShiftWidth, kShiftBase);
  return errors;
}

void add_point(Series& series, int k, const std::vector<double>& errors) {
  series.x.push_back(k);
  series.y.push_back(errors[kShiftFrom - 1]);
  series.low.push_back(*std::min_element(errors.begin(), errors.end()));
  series.high.push_back(*std::max_element(errors.begin(), errors.end()));
}

/// The weights of the query at `from` over the keys up to itself, by distance, nearest first.
std::vector<double> weights_by_distance(const xt::xarray<double>& logits, std::size_t from,
                                        double factor, std::size_t farthest) {
  double largest = logits(from, 0), sum = 0;
  for (std::size_t j = 0; j <= from; ++j) largest = std::max(largest, logits(from, j));
  for (std::size_t j = 0; j <= from; ++j) sum += std::exp(factor * (logits(from, j) - largest));
  std::vector<double> weights;
  for (std::size_t distance = 0; distance <= farthest; ++distance)
    weights.push_back(std::exp(factor * (logits(from, from - distance) - largest)) / sum);
  return weights;
}

/// The error of every pair in single precision for three of the offsets.
LinePanel pairs_panel() {
  LinePanel panel{.key = true};
  for (const int k : {kShifts[0], kShifts[3], kShifts[4]})
    panel.series.push_back(
        {.label = fmt::format("k = {}", k),
         .y = shift_errors_by_pair_in_float(kShiftFrom, k, kShiftWidth, kShiftBase),
         .mark = Mark::kLineAndPoints});
  return panel;
}

/// What part of the sum of squares the first `count` values make.
double share_of_first(const std::vector<double>& values, std::size_t count) {
  double first = 0, all = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    all += values[n] * values[n];
    if (n < count) first += values[n] * values[n];
  }
  return first / all;
}

double highest(const Series& series) {
  return *std::max_element(series.high.begin(), series.high.end());
}

}  // namespace

Figure shift_error_figure(const Evidence& evidence, std::size_t starts) {
  Series single{.label = "single"}, twice{.label = "double"};
  Series asked{.mark = Mark::kPoints, .colour_of = 0};
  std::vector<std::string> words;
  for (const int k : many_offsets()) {
    add_point(single, k, errors_in_float(k, starts));
    add_point(twice, k, errors_in_double(k, starts, evidence));
    if (std::find(kShifts.begin(), kShifts.end(), k) == kShifts.end()) continue;
    asked.x.push_back(k);
    asked.y.push_back(single.y.back());
    words.push_back(fmt::format("{:.1e} at k = {}", single.y.back(), k));
  }
  const LinePanel pairs = pairs_panel();
  const std::string numbers = fmt::format(
      "from p = {} in single precision {}; over all starts and k at most {:.1e} in single and "
      "{:.1e} in double precision. At k = {} the pairs 0 to 7 make {:.1f} % of its square, pair 0 "
      "alone, whose angles are whole numbers, {:.1f} %",
      kShiftFrom, fmt::join(words, ", "), highest(single), highest(twice), kShifts.back(),
      100 * share_of_first(pairs.series.back().y, 8),
      100 * share_of_first(pairs.series.back().y, 1));
  return {
      .id = "lab02-error",
      .title = "|PE(p + k) - M_k PE(p)|: rounding grows with the angle",
      .caption = fmt::format(
          "Lines from p = {}, bands over the starts 1 to {} (from 0 there is nothing to "
          "round: PE(0) is zeros and ones); the points are the five k of the check against "
          "1e-6. The error is {}.",
          kShiftFrom, starts, numbers),
      .alt = fmt::format("Two line charts. The error against k from 1 to 1000, both axes "
                         "logarithmic, in single and in double precision, with a line at 1e-6; "
                         "and the error of each pair in single precision for three k. It is {}.",
                         numbers),
      .panels = {{.title = "against k",
                  .x = {.title = "k (tokens)", .log_base = 10},
                  .y = {.title = "Euclidean norm of the error", .log_base = 10},
                  .content =
                      LinePanel{.series = {single, twice, asked}, .references = {{"1e-6", 1e-6}}}},
                 {.title = fmt::format("by pair, single precision, p = {}", kShiftFrom),
                  .x = {.title = "pair c"},
                  .y = {.title = "error of the pair", .low = 0},
                  .content = pairs}},
      .columns = 2,
      .panel_height = 420};
}

Figure look_back_figure(const Evidence& evidence) {
  constexpr int kBack = 2;
  constexpr std::size_t kShown = 24, kFrom = 100, kFarthest = 20;
  const xt::xarray<double> all = look_back_logits(kBack, kFrom + 1, evidence);
  const xt::xarray<double> few = xt::view(all, xt::range(0, kShown), xt::range(0, kShown));
  const double plain = 1 / std::sqrt(static_cast<double>(kShiftWidth));
  LinePanel lines{.key = true};
  std::vector<std::string> words;
  const std::vector<std::pair<double, std::string>> factors = {
      {plain, "divided by √d"}, {1.0, "as it is"}, {8.0, "times 8"}};
  for (const auto& [factor, label] : factors) {
    lines.series.push_back({.label = label,
                            .y = weights_by_distance(all, kFrom, factor, kFarthest),
                            .mark = Mark::kLineAndPoints});
    words.push_back(fmt::format("{:.2f} {}", lines.series.back().y[kBack], label));
  }
  const std::string numbers =
      fmt::format("the weight at distance {} is {}", kBack, fmt::join(words, ", "));
  return {
      .id = "lab02-look-back",
      .title = fmt::format("One matrix, and attention looks {} back from everywhere (width {})",
                           kBack, kShiftWidth),
      .caption =
          fmt::format("The product of M_-{} PE(i) and PE(j) is largest, {:.0f}, on the diagonal {} "
                      "below the main one, at every position from {} on. Its neighbours are close, "
                      "so softmax needs large products to pick it out: {}.",
                      kBack, all(kFrom, kFrom - kBack), kBack, kBack, numbers),
      .alt = fmt::format("Heatmap of {} by {} products with a bright diagonal {} places left of "
                         "the main one. Line chart of the softmax weights of position {} over "
                         "the distances 0 to {}, highest at {}: {}.",
                         kShown, kShown, kBack, kFrom, kFarthest, kBack, numbers),
      .panels = {{.title = fmt::format("(M_-{} PE(i)) · PE(j)", kBack),
                  .x = {.title = "key j (tokens)"},
                  .y = {.title = "query i (tokens)"},
                  .content = HeatmapPanel{.values = few,
                                          .palette = Palette::kViridis,
                                          .value_title = "product",
                                          .square = true}},
                 {.title = fmt::format("softmax over keys 0 to {}, query {}", kFrom, kFrom),
                  .x = {.title = "distance i - j (tokens)"},
                  .y = {.title = "attention weight", .low = 0, .high = 1},
                  .content = lines}},
      .columns = 2,
      .panel_height = 420};
}

}  // namespace phasor
