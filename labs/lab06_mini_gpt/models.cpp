#include "labs/lab06_mini_gpt/models.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/larger.hpp"
#include "phasor/course/training/measures.hpp"

namespace phasor::lab06 {
namespace {

Indices random_row(std::size_t count, std::size_t vocabulary) {
  Indices tokens = Indices::from_shape({1, count});
  Rng rng(1, "tokens");
  for (auto& token : tokens) token = static_cast<std::int64_t>(rng.below(vocabulary));
  return tokens;
}

/// Largest change of the logits at places 0 .. at - 1 when the token at place `at` changes.
double influence_on_the_past(const Gpt& model, std::size_t at) {
  const NoGrad no_grad;
  const std::size_t vocabulary = model.config().vocabulary;
  Indices tokens = random_row(2 * at, vocabulary);
  const Tensor before = model(tokens).value();
  tokens(0, at) = (tokens(0, at) + 1) % static_cast<std::int64_t>(vocabulary);
  const Tensor after = model(tokens).value();
  double change = 0;
  for (std::size_t i = 0; i < at * vocabulary; ++i)
    change = larger(change, std::abs(static_cast<double>(after.data()[i] - before.data()[i])));
  return change;
}

/// Largest difference between logits computed at once and one token at a time with the cache.
double cache_error(const Gpt& model, std::size_t count) {
  const NoGrad no_grad;
  const std::size_t vocabulary = model.config().vocabulary;
  const Indices tokens = random_row(count, vocabulary);
  const Tensor at_once = model(tokens).value();
  KeyValueCache cache;
  double error = 0;
  for (std::size_t t = 0; t < count; ++t) {
    Indices one = Indices::from_shape({1, 1});
    one(0, 0) = tokens(0, t);
    const Tensor step = model(one, {.cache = &cache}).value();
    for (std::size_t v = 0; v < vocabulary; ++v)
      error = larger(error, std::abs(static_cast<double>(step(0, 0, v) - at_once(0, t, v))));
  }
  return error;
}

}  // namespace

Gpt fresh_model(GptConfig config, std::size_t vocabulary, const std::string& scheme) {
  config.vocabulary = vocabulary;
  config.scheme = scheme;
  Rng rng(1, "weights");
  return {config, rng};
}

void check_models(Lab& lab, const Plan& plan, std::size_t vocabulary) {
  for (const std::string& scheme : plan.schemes) {
    const Gpt model = fresh_model(plan.model, vocabulary, scheme);
    lab.check(scheme + ": a later character changes no earlier logit",
              influence_on_the_past(model, 20), 0, 0);
    // Both sums run over the same numbers in another order: a few units of float rounding, on
    // logits of order one.
    lab.check(scheme + ": one character at a time equals all at once", cache_error(model, 40), 0,
              1e-5);
  }
}

void check_training(Lab& lab, const std::vector<Outcome>& outcomes, const Corpus& corpus) {
  const CharTokenizer tokenizer = CharTokenizer::from_text(corpus.text);
  const std::size_t vocabulary = tokenizer.vocabulary_size();
  const double blind = token_entropy(tokenizer.encode(corpus.text), vocabulary);
  for (const Outcome& outcome : outcomes) {
    const double start = outcome.runs[0].records.front().validation_loss;
    // Fresh weights are small, so all characters are nearly equally likely: ln V nats.
    lab.check(outcome.scheme + ": the first loss is about ln V", start,
              std::log(static_cast<double>(vocabulary)), 0.3);
    const double end = final_loss(outcome).mean;
    lab.check(outcome.scheme + ": it beats knowing only how often characters occur", end < blind,
              fmt::format("{:.3f} against {:.3f} nats", end, blind));
    if (corpus.entropy_floor)
      lab.check(outcome.scheme + ": it stays above the entropy", end > *corpus.entropy_floor,
                fmt::format("{:.3f} against {:.3f}", end, *corpus.entropy_floor));
  }
}

}  // namespace phasor::lab06
