#include "phasor/model/generate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// The model with its cache: takes tokens, gives the logits of the next one.
class Reader {
 public:
  /// `total`: tokens to be read in all.
  Reader(const Gpt& model, bool beyond_context, std::size_t total)
      : model_(model),
        window_(beyond_context ? 0 : model.config().context),
        places_(model.positions_of(beyond_context ? total : std::min(total, window_))) {}

  /// Reads one more token (or the whole prompt) and returns the logits [V] after the last.
  const Real* read(const std::vector<std::int32_t>& tokens) {
    text_.insert(text_.end(), tokens.begin(), tokens.end());
    std::vector<std::int32_t> unread = tokens;
    if (window_ > 0 && cache_.positions.size() + tokens.size() > window_) {
      cache_ = {};
      const std::size_t kept = std::min(text_.size(), std::max<std::size_t>(window_ / 2, 1));
      unread.assign(text_.end() - static_cast<std::ptrdiff_t>(kept), text_.end());
    }
    Indices input = Indices::from_shape({1, unread.size()});
    std::copy(unread.begin(), unread.end(), input.begin());
    const auto first = places_.begin() + static_cast<std::ptrdiff_t>(cache_.positions.size());
    const Positions here(first, first + static_cast<std::ptrdiff_t>(unread.size()));
    logits_ = model_(input, {.positions = here, .cache = &cache_});
    return logits_.value().data() + (unread.size() - 1) * model_.config().vocabulary;
  }

 private:
  const Gpt& model_;
  std::size_t window_;  // 0: no limit
  Positions places_;    // of the tokens in a window
  KeyValueCache cache_;
  std::vector<std::int32_t> text_;
  Var logits_;
};

}  // namespace

std::int32_t sample(const Real* logits, std::size_t vocabulary, const Sampling& sampling,
                    Rng& rng) {
  if (sampling.temperature == 0)
    return static_cast<std::int32_t>(std::max_element(logits, logits + vocabulary) - logits);
  std::vector<std::size_t> order(vocabulary);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Ties keep the order of the vocabulary, so that the draw is the same everywhere.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
  if (sampling.top_k > 0) order.resize(std::min(sampling.top_k, vocabulary));
  std::vector<double> weights;
  for (const std::size_t token : order)
    weights.push_back(
        std::exp(static_cast<double>(logits[token] - logits[order[0]]) / sampling.temperature));
  double left = rng.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < order.size(); ++i)
    if ((left -= weights[i]) < 0) return static_cast<std::int32_t>(order[i]);
  return static_cast<std::int32_t>(order.back());
}

std::vector<std::int32_t> generate(const Gpt& model, const std::vector<std::int32_t>& prompt,
                                   std::size_t count, const Sampling& sampling,
                                   const std::function<bool(std::int32_t)>& on_token) {
  check<DataError>(!prompt.empty(), "the prompt is empty; give at least one character");
  check<ConfigError>(sampling.temperature >= 0 && std::isfinite(sampling.temperature),
                     "--temperature must be 0 (greedy) or more, got {}", sampling.temperature);
  const NoGrad no_grad;
  Reader reader(model, sampling.beyond_context, prompt.size() + count);
  Rng rng(sampling.seed, "generate");
  std::vector<std::int32_t> tokens;
  const Real* logits = count > 0 ? reader.read(prompt) : nullptr;
  while (tokens.size() < count) {
    tokens.push_back(sample(logits, model.config().vocabulary, sampling, rng));
    if (on_token && !on_token(tokens.back())) break;
    if (tokens.size() < count) logits = reader.read({tokens.back()});
  }
  return tokens;
}

}  // namespace phasor::inline PHASOR_PRECISION
