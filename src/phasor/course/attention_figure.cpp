#include "phasor/course/attention_figure.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

constexpr double kHidden = -1e29;  // a masked logit is -1e30, and what a scheme adds is far smaller

constexpr const char* kSpreadOut = "spread out";

/// Space and newline as signs that can be seen.
std::string shown(std::string token) {
  if (token == " ") return "␣";
  if (token == "\n") return "↵";
  if (token == "\t") return "⇥";
  return token;
}

/// [1, H, T, T] of each layer -> [L, H, T, T].
xt::xarray<double> stacked(const std::vector<LayerRecord>& layers, Tensor LayerRecord::*what) {
  const Tensor& first = layers.front().*what;
  const std::size_t H = first.shape(1), T = first.shape(2), size = H * T * T;
  auto result = xt::xarray<double>::from_shape({layers.size(), H, T, T});
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    std::copy_n((layers[layer].*what).data(), size, result.data() + layer * size);
  return result;
}

/// The shares of one head, whose weights are `weight(query, key)`.
template <class Weight>
HeadFocus focus_of(const AttentionMaps& maps, Weight weight) {
  const std::size_t T = maps.length();
  check<DataError>(T >= 3,
                   "what a head looks at takes at least 3 tokens, for otherwise the start is the "
                   "previous token; got {}; give a longer text",
                   T);
  HeadFocus focus;
  std::size_t repeats = 0;
  for (std::size_t t = 2; t < T; ++t) {
    focus.previous += weight(t, t - 1);
    focus.start += weight(t, 0);
    focus.itself += weight(t, t);
    bool any = false;
    for (std::size_t s = 0; s < T; ++s) {
      const double w = weight(t, s);
      focus.distance += w * std::abs(static_cast<double>(t) - static_cast<double>(s));
      if (s >= t || maps.tokens[s] != maps.tokens[t]) continue;
      focus.repeated += w;
      any = true;
    }
    repeats += any ? 1 : 0;
  }
  const double queries = static_cast<double>(T) - 2;
  for (double* sum : {&focus.previous, &focus.start, &focus.itself, &focus.distance})
    *sum /= queries;
  focus.repeated = repeats > 0 ? focus.repeated / static_cast<double>(repeats)
                               : std::numeric_limits<double>::quiet_NaN();
  return focus;
}

xt::xarray<double> map_of(const AttentionMaps& maps, std::size_t layer, std::size_t head) {
  const std::size_t T = maps.length();
  auto map = xt::xarray<double>::from_shape({T, T});
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < T; ++s) {
      const bool hidden = std::isnan(maps.logits(layer, head, t, s));
      map(t, s) =
          hidden ? std::numeric_limits<double>::quiet_NaN() : maps.weights(layer, head, t, s);
    }
  return map;
}

/// The layers or heads to draw: the one that was chosen, or all.
std::vector<std::size_t> chosen(std::optional<std::size_t> one, std::size_t count,
                                const char* what) {
  check<ConfigError>(!one || *one < count, "there is no {} {}; the model has {}s 1 to {}", what,
                     one.value_or(0) + 1, what, count);
  if (one) return {*one};
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

std::string percent(double share) {
  return std::isnan(share) ? "-" : fmt::format("{:.0f} %", 100 * share);
}

Panel panel_of(const AttentionMaps& maps, std::size_t layer, std::size_t head) {
  HeatmapPanel map{.values = map_of(maps, layer, head),
                   .palette = Palette::kViridis,
                   .value_title = "weight",
                   .low = 0,
                   .high = 1,
                   .square = true};
  const bool labelled = maps.length() <= kMostLabels;
  if (labelled) map.row_labels = map.column_labels = maps.tokens;
  return {.title = fmt::format("layer {}, head {}", layer + 1, head + 1),
          .x = {.title = labelled ? "looked at (key)" : "looked at (key), position"},
          .y = {.title = labelled ? "looks (query)" : "looks (query), position"},
          .content = std::move(map)};
}

/// "layer 1 head 2: the previous token (46 %); the other 7 heads: spread out".
std::string heads_in_words(const std::vector<HeadFocus>& heads, const HeadFocus& even) {
  std::vector<std::string> words;
  for (const HeadFocus& focus : heads) {
    const std::string looks = focus_words(focus, even);
    if (looks != kSpreadOut)
      words.push_back(fmt::format("layer {} head {}: {}", focus.layer + 1, focus.head + 1, looks));
  }
  const std::size_t rest = heads.size() - words.size();
  if (rest == heads.size()) return rest == 1 ? kSpreadOut : fmt::format("all {}", kSpreadOut);
  if (rest > 0)
    words.push_back(fmt::format("the other {} head{}: {}", rest, rest == 1 ? "" : "s", kSpreadOut));
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace

std::vector<std::string> shown_tokens(const CharTokenizer& tokenizer, const Encoded& tokens) {
  std::vector<std::string> labels;
  for (const std::int32_t token : tokens) labels.push_back(shown(tokenizer.decode({&token, 1})));
  return labels;
}

AttentionMaps attention_maps(const Gpt& model, const std::vector<std::int64_t>& tokens,
                             std::vector<std::string> labels) {
  check<DataError>(!tokens.empty() && labels.size() == tokens.size(),
                   "attention takes at least one token and a label for each, got {} and {}",
                   tokens.size(), labels.size());
  Indices batch = Indices::from_shape({1, tokens.size()});
  std::copy(tokens.begin(), tokens.end(), batch.begin());
  const NoGrad no_grad;
  Recording recording;
  model(batch, {.recording = &recording});
  AttentionMaps maps{.weights = stacked(recording.layers, &LayerRecord::weights),
                     .logits = stacked(recording.layers, &LayerRecord::logits),
                     .tokens = std::move(labels),
                     .causal = model.config().causal};
  for (double& logit : maps.logits)
    if (logit < kHidden) logit = std::numeric_limits<double>::quiet_NaN();
  return maps;
}

AttentionMaps attention_maps(const Gpt& model, const CharTokenizer& tokenizer,
                             std::string_view text) {
  const Encoded encoded = tokenizer.encode(text);
  check<DataError>(!encoded.empty(), "the text is empty; give at least one character");
  return attention_maps(model, {encoded.begin(), encoded.end()}, shown_tokens(tokenizer, encoded));
}

std::vector<HeadFocus> head_focus(const AttentionMaps& maps) {
  std::vector<HeadFocus> all;
  for (std::size_t layer = 0; layer < maps.layers(); ++layer)
    for (std::size_t head = 0; head < maps.heads(); ++head) {
      all.push_back(focus_of(
          maps, [&](std::size_t t, std::size_t s) { return maps.weights(layer, head, t, s); }));
      all.back().layer = layer;
      all.back().head = head;
    }
  return all;
}

HeadFocus even_focus(const AttentionMaps& maps) {
  return focus_of(maps, [&](std::size_t t, std::size_t s) {
    if (!maps.causal) return 1 / static_cast<double>(maps.length());
    return s > t ? 0.0 : 1 / static_cast<double>(t + 1);
  });
}

std::string focus_words(const HeadFocus& focus, const HeadFocus& even) {
  constexpr double kLeast = 0.3, kTimesEven = 2;
  struct Candidate {
    const char* words;
    double share, even;
  };
  const Candidate candidates[] = {{"the previous token", focus.previous, even.previous},
                                  {"the start", focus.start, even.start},
                                  {"itself", focus.itself, even.itself},
                                  {"the same token earlier", focus.repeated, even.repeated}};
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates)
    if (candidate.share >= kLeast && candidate.share >= kTimesEven * candidate.even &&
        (!best || candidate.share > best->share))
      best = &candidate;
  return best ? fmt::format("{} ({})", best->words, percent(best->share)) : kSpreadOut;
}

std::vector<std::vector<std::string>> focus_rows(const AttentionMaps& maps) {
  const HeadFocus even = even_focus(maps);
  const auto row = [&](const std::string& layer, const std::string& head, const HeadFocus& focus,
                       const std::string& words) -> std::vector<std::string> {
    return {layer,
            head,
            percent(focus.previous),
            percent(focus.start),
            percent(focus.itself),
            percent(focus.repeated),
            fmt::format("{:.1f}", focus.distance),
            words};
  };
  std::vector<std::vector<std::string>> rows = {
      {"layer", "head", "previous", "start", "itself", "same earlier", "distance", "mostly"}};
  for (const HeadFocus& focus : head_focus(maps))
    rows.push_back(row(fmt::to_string(focus.layer + 1), fmt::to_string(focus.head + 1), focus,
                       focus_words(focus, even)));
  rows.push_back(row("", "even", even, "evenly"));
  return rows;
}

Figure attention_figure(const AttentionMaps& maps, const AttentionFigure& what) {
  const std::vector<std::size_t> layers = chosen(what.layer, maps.layers(), "layer");
  const std::vector<std::size_t> heads = chosen(what.head, maps.heads(), "head");
  const std::size_t count = layers.size() * heads.size();
  check<ConfigError>(count <= kMostMaps,
                     "{} layers of {} heads are {} maps, a figure holds {}; choose one layer or "
                     "one head",
                     layers.size(), heads.size(), count, kMostMaps);
  Figure figure{.id = what.id, .title = what.title};
  std::vector<HeadFocus> drawn;
  for (const HeadFocus& focus : head_focus(maps)) {
    if (std::find(layers.begin(), layers.end(), focus.layer) == layers.end()) continue;
    if (std::find(heads.begin(), heads.end(), focus.head) == heads.end()) continue;
    figure.panels.push_back(panel_of(maps, focus.layer, focus.head));
    drawn.push_back(focus);
  }
  const std::string words = heads_in_words(drawn, even_focus(maps));
  const std::string hidden =
      maps.causal ? " Grey: the future, which is hidden." : " Nothing is hidden.";
  figure.caption = fmt::format(
      "Each row shows where one token looks; it sums to 1.{} What the largest share of the weight "
      "goes to: {}.",
      hidden, words);
  figure.alt = fmt::format(
      "{} heatmap{} of {} by {} attention weights, tokens on both axes. What the largest share of "
      "the weight goes to: {}.",
      count, count == 1 ? "" : "s", maps.length(), maps.length(), words);
  figure.columns =
      std::min<std::size_t>(count, heads.size() > 1 ? std::min<std::size_t>(heads.size(), 4) : 2);
  // A label of its own for every token takes 15 pixels; the rest are titles and the colour bar.
  const double side =
      maps.length() <= kMostLabels ? std::max(240.0, 15 * static_cast<double>(maps.length())) : 420;
  figure.panel_height = side + 110;
  figure.panel_width = side + 180;
  return figure;
}

}  // namespace phasor
