#include "phasor/course/decomposition/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phasor/analysis/score_map.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

using Array = xt::xarray<double>;

constexpr std::size_t kDistances[] = {1, 2, 4, 8, 16};
constexpr std::size_t kWindows = 20;  // of validation text, for means over heads

/// Grey where the model's own logit is hidden.
Array shown(const Array& scores, const Array& logits) {
  Array result = centred_scores(scores, std::isnan(logits(0, logits.shape(1) - 1)));
  for (std::size_t i = 0; i < result.size(); ++i)
    if (std::isnan(logits.data()[i])) result.data()[i] = logits.data()[i];
  return result;
}

double largest(const Array& map) {
  double most = 0;
  for (const double value : map) most = std::fmax(most, std::abs(value));  // a NaN leaves it
  return most;
}

Panel map_panel(std::string title, Array map, const FirstLayer& layer, double limit) {
  const bool weights = limit == 0;
  HeatmapPanel heatmap{.values = std::move(map),
                       .palette = weights ? Palette::kViridis : Palette::kDiverging,
                       .value_title = weights ? "weight" : "score",
                       .low = weights ? 0 : -limit,
                       .high = weights ? 1 : limit,
                       .row_labels = layer.tokens,
                       .column_labels = layer.tokens,
                       .square = true};
  return {.title = std::move(title),
          .x = {.title = "key"},
          .y = {.title = "query"},
          .content = std::move(heatmap)};
}

/// "content-content 12 %, ..." in the order of the terms.
std::string share_words(const std::array<double, 4>& shares) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < shares.size(); ++i)
    words.push_back(fmt::format("{} {:.0f} %", kTermNames[i], 100 * shares[i]));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// score(i + distance, i) over i, one curve a distance.
LinePanel by_place(const Array& map) {
  LinePanel panel{.key = true};
  for (const std::size_t distance : kDistances) {
    Series series{.label = fmt::format("distance {}", distance)};
    for (std::size_t i = 0; i + distance < map.shape(0); ++i)
      series.y.push_back(map(i + distance, i));
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

std::size_t most_positional(const std::vector<HeadParts>& parts) {
  const auto most = std::max_element(
      parts.begin(), parts.end(),
      [](const HeadParts& a, const HeadParts& b) { return a.shares[3] < b.shares[3]; });
  return static_cast<std::size_t>(most - parts.begin());
}

Figure terms_figure(const FirstLayer& layer, std::size_t head) {
  const ScoreTerms& terms = layer.heads.at(head);
  const Array &logits = layer.logits.at(head), sum = shown(terms.sum(), logits);
  double limit = largest(sum);
  for (const Array* term : terms.all()) limit = std::max(limit, largest(shown(*term, logits)));
  Figure figure{.id = "lab07-terms",
                .claims_id = "D0-F4",
                .title = fmt::format("The scores of layer 1, head {}, as four terms", head + 1)};
  for (std::size_t i = 0; i < 4; ++i)
    figure.panels.push_back(map_panel(fmt::format("{}. {}", i + 1, kTermNames[i]),
                                      shown(*terms.all()[i], logits), layer, limit));
  figure.panels.push_back(map_panel("1 + 2 + 3 + 4", sum, layer, limit));
  Array weights = layer.weights.at(head);
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (std::isnan(logits.data()[i])) weights.data()[i] = logits.data()[i];
  figure.panels.push_back(map_panel("after softmax", std::move(weights), layer, 0));
  const std::array<double, 4> parts = shares(terms, std::isnan(logits(0, logits.shape(1) - 1)));
  figure.caption = fmt::format(
      "On \"{}\", each row less its mean, which softmax does not see. The first word is the "
      "query's part, the second the key's. Of the differences within rows the terms make: {}. "
      "Their sum is the model's own score to {:.0e} of the largest. Grey: the future.",
      layer.text, share_words(parts), layer.error());
  figure.alt = fmt::format(
      "Six heatmaps of {} queries by {} keys: the four terms, their sum, and the weights after "
      "softmax. Shares of the terms: {}. The largest value is {:.2f}.",
      layer.tokens.size(), layer.tokens.size(), share_words(parts), limit);
  figure.columns = 3;
  figure.panel_height = 15 * static_cast<double>(layer.tokens.size()) + 110;
  figure.panel_width = figure.panel_height + 70;
  return figure;
}

Figure shares_figure(const std::vector<HeadParts>& parts) {
  BarPanel bars;
  for (std::size_t i = 0; i < 4; ++i) bars.groups.push_back({.label = std::string(kTermNames[i])});
  std::array<double, 4> mean{};
  std::vector<std::string> words;
  for (std::size_t head = 0; head < parts.size(); ++head) {
    bars.categories.push_back(fmt::format("head {}", head + 1));
    for (std::size_t i = 0; i < 4; ++i) {
      bars.groups[i].values.push_back(100 * parts[head].shares[i]);
      mean[i] += parts[head].shares[i] / static_cast<double>(parts.size());
    }
    words.push_back(fmt::format("head {}: {}", head + 1, share_words(parts[head].shares)));
  }
  return {
      .id = "lab07-shares",
      .title = "What part of each head's scores the terms make",
      .caption = fmt::format(
          "Shares of the differences within rows, in the first layer; the four of a head add up "
          "to 100 %, and a term that works against the others is negative. Mean over heads: {}.",
          share_words(mean)),
      .alt = fmt::format("Bar chart, four bars a head. {}.", fmt::join(words, "; ")),
      .panels = {{.y = {.title = "share (%)"}, .content = std::move(bars)}}};
}

Invariance invariance_of(const Run& run, const Encoded& validation, std::size_t head,
                         const Encoder& encode) {
  const std::size_t T = run.config.model.context;
  const std::vector<std::int64_t> tokens(validation.begin(),
                                         validation.begin() + static_cast<std::ptrdiff_t>(T));
  const Array encoding = encode(T, run.config.model.width, 10000);
  return {.head = head,
          .raw = score_map(encoding, encoding),
          .projected = position_scores(*run.model, head, tokens, encoding),
          .whole = take_apart(run, tokens, encode).heads.at(head).sum()};
}

Figure invariance_figure(const Invariance& invariance) {
  struct Part {
    const char *title, *words;
    const Array* map;
  };
  const Part parts[] = {{"the encoding: PE(i) PE(j)", "of the encoding itself", &invariance.raw},
                        {"behind W_Q and W_K", "behind W_Q and W_K", &invariance.projected},
                        {"the whole score on a text", "of whole scores", &invariance.whole}};
  Figure figure{
      .id = "lab07-invariance",
      .title = fmt::format("Does the score depend on the distance alone? Layer 1, head {}",
                           invariance.head + 1)};
  std::vector<std::string> words;
  for (const auto& [title, name, map] : parts) {
    figure.panels.push_back({.title = title,
                             .x = {.title = "position of the key (tokens)"},
                             .y = {.title = "score"},
                             .content = by_place(*map)});
    words.push_back(fmt::format("{:.0f} % {}", 100 * distance_share(*map, true), name));
  }
  const std::string numbers = fmt::format("{}", fmt::join(words, ", "));
  figure.caption = fmt::format(
      "One line joins all pairs of one distance; it is flat where only the distance counts. The "
      "distance explains {}.",
      numbers);
  figure.alt = fmt::format(
      "Three line charts of the score against the key's position, one line for each of five "
      "distances. The distance explains {}.",
      numbers);
  figure.columns = 3;
  return figure;
}

std::vector<FigureEntry> decomposition_figures() {
  return {{.id = "D0-F4",
           .lab = "lab07",
           .title = "the attention score of a trained model as four terms",
           .make = [](const std::filesystem::path& results) {
             const auto folder = decomposed_run(results / "lab07");
             check<DataError>(folder.has_value(), "there is no run in {}; labs/run 07 trains it",
                              (results / "lab07").string());
             const Run run = load_run(*folder);
             const Encoded validation =
                 validation_of(run.config, kWindows * run.config.model.context);
             return terms_figure(take_apart(run, kSentence),
                                 most_positional(head_parts(run, validation, kWindows)));
           }}};
}

}  // namespace phasor
