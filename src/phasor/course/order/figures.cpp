#include "phasor/course/order/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "phasor/analysis/spread.hpp"
#include "phasor/course/order/word_order.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

constexpr std::size_t kDeepest = 6;

/// The weight of every word (but the full stop) on every other: a row for each sentence, a column
/// for each pair.
HeatmapPanel pair_map(const Condition& condition, std::size_t layer, std::uint64_t seed,
                      const Evidence& evidence) {
  HeatmapPanel map{.values = xt::zeros<double>({2, 6}),
                   .palette = Palette::kViridis,
                   .low = 0,
                   .high = 1,
                   .row_labels = {"dog bites man", "man bites dog"},
                   .decimals = 3};
  const xt::xarray<double> a = pair_weights(kDogBitesMan, condition, layer, seed, evidence);
  const xt::xarray<double> b = pair_weights(kManBitesDog, condition, layer, seed, evidence);
  for (std::size_t from = 0; from < 3; ++from)
    for (std::size_t to = 0; to < 3; ++to) {
      if (from == to) continue;
      map.values(0, map.column_labels.size()) = a(from, to);
      map.values(1, map.column_labels.size()) = b(from, to);
      map.column_labels.push_back(kWords[from] + " → " + kWords[to]);
    }
  return map;
}

/// 0.123, or 1.1e-16 for what is only rounding.
std::string shown(double value) {
  return value != 0 && value < 0.001 ? fmt::format("{:.1e}", value) : fmt::format("{:.3f}", value);
}

/// "no mask, no position 1.1e-16 and 0.000; ...": the differences in both layers.
std::string differences(std::uint64_t seed, const Evidence& evidence) {
  std::vector<std::string> words;
  for (const Condition& condition : kConditions)
    words.push_back(fmt::format("{} {} and {}", name_of(condition),
                                shown(weight_difference(condition, 0, seed, evidence)),
                                shown(weight_difference(condition, 1, seed, evidence))));
  return fmt::format("{}", fmt::join(words, "; "));
}

using Measure = double (*)(const Condition&, std::size_t, std::uint64_t, const Evidence&);

/// One curve for each condition: the difference after 1 to kDeepest layers.
LinePanel depth_panel(Measure measure, const Evidence& evidence, std::uint64_t seed,
                      std::size_t draws) {
  LinePanel panel;
  for (const Condition& condition : kConditions) {
    Series series{
        .label = name_of(condition), .mark = Mark::kLineAndPoints, .dashed = condition.encoded};
    for (std::size_t layers = 1; layers <= kDeepest; ++layers) {
      std::vector<double> values;
      for (std::size_t n = 0; n < draws; ++n)
        values.push_back(std::max(measure(condition, layers, seed + n, evidence), kRoundingOfOne));
      const Spread spread = spread_of(values);
      series.x.push_back(static_cast<double>(layers));
      series.y.push_back(spread.mean);
      series.low.push_back(spread.least);
      series.high.push_back(spread.most);
    }
    panel.series.push_back(series);
  }
  return panel;
}

/// The points of one mask; the unchanged order is left out.
Series shuffle_points(const std::vector<Shuffle>& shuffles, const std::string& label,
                      double aside) {
  Series points{.label = label, .mark = Mark::kPoints};
  for (std::size_t n = 1; n < shuffles.size(); ++n) {
    points.x.push_back(static_cast<double>(shuffles[n].moved) + aside);
    points.y.push_back(std::max(shuffles[n].equivariant, kRoundingOfOne));
  }
  return points;
}

}  // namespace

Figure pair_weights_figure(const Evidence& evidence, std::uint64_t seed) {
  Figure figure{.id = "lab00-pair-weights",
                .claims_id = "D1-F1",
                .title = "Attention between the words of \"dog bites man\" and \"man bites dog\"",
                .columns = 2,
                .panel_width = 740,
                .panel_height = 150};
  for (const bool causal : {false, true})
    for (const std::size_t layer : {0u, 1u})
      for (const bool encoded : {false, true})
        figure.panels.push_back(
            {.title = fmt::format("{}, layer {}", name_of(Condition{causal, encoded}), layer + 1),
             .content = pair_map({causal, encoded}, layer, seed, evidence)});
  const std::string numbers = differences(seed, evidence);
  figure.caption = fmt::format(
      "A column is the weight of one word on another, above in one sentence and below in the other "
      "(both end in a full stop, which is not drawn). Only without mask and without position are "
      "they the same. Largest difference of a weight "
      "in layer 1 and in layer 2: {}.",
      numbers);
  figure.alt = fmt::format(
      "Eight tables in colours, one for each mask (none, causal), encoding (without, with) and "
      "layer (1, 2), each with the weights of the six pairs of dog, bites and man in both "
      "sentences. Largest difference between the sentences in layer 1 and in layer 2: {}.",
      numbers);
  return figure;
}

Figure shuffles_figure(const Evidence& evidence, std::uint64_t seed) {
  const std::vector<Shuffle> open = all_shuffles(false, seed, evidence);
  const std::vector<Shuffle> causal = all_shuffles(true, seed, evidence);
  const LinePanel panel{.series = {shuffle_points(open, "no mask", -0.06),
                                   shuffle_points(causal, "causal mask", 0.06)},
                        .key = true};
  const auto [open_low, open_high] =
      std::minmax_element(panel.series[0].y.begin(), panel.series[0].y.end());
  const auto [low, high] = std::minmax_element(panel.series[1].y.begin(), panel.series[1].y.end());
  const std::string numbers =
      fmt::format("without a mask it is at most {:.1e}, with a causal mask {:.2g} to {:.2g}",
                  *open_high, *low, *high);
  return {.id = "lab00-shuffles",
          .title = fmt::format("{} orders of five words: is f(Px) = P f(x)?", open.size()),
          .caption = fmt::format(
              "One layer of attention, one point for each order but the unchanged one. The largest "
              "difference between shuffling before and shuffling after: {}. What is below the "
              "rounding of 1 is drawn there, at {:.1e}.",
              numbers, kRoundingOfOne),
          .alt = fmt::format("Points on a logarithmic axis, {} for each mask, by how many words "
                             "have moved (2 to 5). Largest entry of f(Px) - P f(x): {}.",
                             open.size() - 1, numbers),
          .panels = {{.x = {.title = "words that stand in another place",
                            .low = 1.5,
                            .high = 5.5,
                            .ticks = {{2, "2"}, {3, "3"}, {4, "4"}, {5, "5"}}},
                      .y = {.title = "max |f(Px) - P f(x)|", .low = 1e-17, .log_base = 10},
                      .content = panel}}};
}

Figure depth_figure(const Evidence& evidence, std::uint64_t seed, std::size_t draws) {
  LinePanel last = depth_panel(last_word_difference, evidence, seed, draws);
  double recurrent = 0;
  for (std::size_t n = 0; n < draws; ++n)
    recurrent += recurrent_difference(seed + n) / static_cast<double>(draws);
  last.references.push_back({"recurrent net", recurrent});
  const LinePanel copies = depth_panel(copies_difference, evidence, seed, draws);
  const auto at = [](const LinePanel& panel, std::size_t condition, std::size_t layers) {
    return shown(panel.series[condition].y[layers - 1]);
  };
  const std::string numbers = fmt::format(
      "at the full stop without position the two sentences differ by {} after one and {} after two "
      "layers without a mask, by {} and {} with a causal mask; with position by {} and {} already "
      "after one layer. Two dogs in one sentence differ by {} without a mask and without position, "
      "and by {} with a causal mask, after one layer. A recurrent net ends the two sentences {} "
      "apart",
      at(last, 0, 1), at(last, 0, 2), at(last, 2, 1), at(last, 2, 2), at(last, 1, 1),
      at(last, 3, 1), at(copies, 0, 1), at(copies, 2, 1), shown(recurrent));
  const Axis depth = {.title = "layers"};
  const Axis difference = {.title = "|a - b| / |a|", .low = 1e-17, .high = 10, .log_base = 10};
  return {
      .id = "lab00-depth",
      .title = "Who notices the order, by depth",
      .caption = fmt::format(
          "Means over {} draws of the weights, bands from the least to the most; {}. What is below "
          "the rounding of 1, {:.1e}, is drawn there.",
          draws, numbers, kRoundingOfOne),
      .alt =
          fmt::format("Two line charts against 1 to {} layers, logarithmic, a line for each mask "
                      "and encoding: {}.",
                      kDeepest, numbers),
      .panels = {{.title = "\".\" of \"dog bites man .\" and of \"man bites dog .\"",
                  .x = depth,
                  .y = difference,
                  .content = last},
                 {.title = "the first and the second dog of \"dog bites dog .\"",
                  .x = depth,
                  .y = difference,
                  .content = copies}},
      .panel_height = 340};
}

std::vector<FigureEntry> order_figures() {
  return {{"D1-F1", "lab00", "dog bites man, man bites dog: pair weights by mask, position, depth",
           [](const std::filesystem::path&) { return pair_weights_figure({}); }}};
}

}  // namespace phasor
