// Lab 06: one Mini-GPT, five positional schemes, two texts. What does position buy?
#include <algorithm>
#include <cmath>

#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab06_mini_gpt/experiment.hpp"
#include "labs/lab06_mini_gpt/figures.hpp"
#include "phasor/model/generate.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::lab06 {
namespace {

Plan plan_of(const Lab& lab) {
  Plan plan;
  plan.schemes = {"none", "sinusoidal", "learned", "rope", "alibi"};
  plan.folder = lab.options().out / "runs";
  plan.model.context = 64;
  plan.train.lr = 3e-3;
  plan.train.min_lr = 3e-4;
  plan.train.eval_tokens = 10000;
  const std::uint64_t seed = lab.options().seed;
  if (lab.full()) {
    plan.seeds = {seed, seed + 1, seed + 2};
    plan.train.steps = 800;
    plan.train.eval_every = 50;
  } else {
    plan.seeds = {seed};
    plan.train.batch = 16;
    plan.train.steps = 240;
    plan.train.warmup = 20;
    plan.train.eval_every = 24;
  }
  return plan;
}

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say("1. A model without any positional encoding: does it learn at all?");
  lab.say("2. Which of none, sinusoidal, learned, rope and alibi ends lowest, and by how much?");
  lab.say(
      "3. In the toy language the words of a sentence do not say who did what to whom; only "
      "their order does. Is the gap between `none` and the others larger there?");
}

/// A model that is to be looked at, not trained.
Gpt fresh_model(GptConfig config, std::size_t vocabulary, const std::string& scheme) {
  config.vocabulary = vocabulary;
  config.scheme = scheme;
  Rng rng(1, "weights");
  return {config, rng};
}

Indices random_tokens(std::size_t count, std::size_t vocabulary) {
  Indices tokens = Indices::from_shape({1, count});
  Rng rng(1, "tokens");
  for (auto& token : tokens) token = static_cast<std::int64_t>(rng.below(vocabulary));
  return tokens;
}

/// Largest change of the logits at places 0 .. at - 1 when the token at place `at` changes.
double influence_on_the_past(const Gpt& model, std::size_t at) {
  const NoGrad no_grad;
  const std::size_t vocabulary = model.config().vocabulary;
  Indices tokens = random_tokens(2 * at, vocabulary);
  const Tensor before = model(tokens).value();
  tokens(0, at) = (tokens(0, at) + 1) % static_cast<std::int64_t>(vocabulary);
  const Tensor after = model(tokens).value();
  double change = 0;
  for (std::size_t i = 0; i < at * vocabulary; ++i)
    change = std::max(change, std::abs(static_cast<double>(after.data()[i] - before.data()[i])));
  return change;
}

/// Largest difference between logits computed at once and one token at a time with the cache.
double cache_error(const Gpt& model, std::size_t count) {
  const NoGrad no_grad;
  const std::size_t vocabulary = model.config().vocabulary;
  const Indices tokens = random_tokens(count, vocabulary);
  const Tensor at_once = model(tokens).value();
  KeyValueCache cache;
  double error = 0;
  for (std::size_t t = 0; t < count; ++t) {
    Indices one = Indices::from_shape({1, 1});
    one(0, 0) = tokens(0, t);
    const Tensor step = model(one, {.cache = &cache}).value();
    for (std::size_t v = 0; v < vocabulary; ++v)
      error = std::max(error, std::abs(static_cast<double>(step(0, 0, v) - at_once(0, t, v))));
  }
  return error;
}

void build(Lab& lab, const Plan& plan, std::size_t vocabulary) {
  lab.section("build", "the model, and the one line in which the five differ");
  std::vector<std::vector<std::string>> rows = {{"scheme", "enters as", "parameters", "relative"}};
  for (const std::string& scheme : plan.schemes) {
    const Gpt model = fresh_model(plan.model, vocabulary, scheme);
    rows.push_back({scheme, find_scheme(scheme).kind, fmt::to_string(model.parameter_count()),
                    model.scheme().traits().is_relative ? "yes" : "no"});
  }
  lab.say("Width {}, {} heads, {} layers, context {}, {} different characters:", plan.model.width,
          plan.model.heads, plan.model.layers, plan.model.context, vocabulary);
  lab.show(table(rows));
}

void prove(Lab& lab, const Plan& plan, std::size_t vocabulary) {
  lab.section("check", "is it a language model?");
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

/// What must be true of any training, whatever the scheme.
void check_training(Lab& lab, const std::vector<Outcome>& outcomes, const Corpus& corpus,
                    std::size_t vocabulary) {
  const double blind = character_entropy(corpus.text);
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

void show_losses(Lab& lab, const std::vector<Outcome>& outcomes) {
  std::vector<std::vector<std::string>> rows = {
      {"scheme", "train loss", "validation loss", "least", "most"}};
  for (const Outcome& outcome : outcomes) {
    std::vector<double> train;
    for (const RunReport& run : outcome.runs) train.push_back(*run.records.back().train_loss);
    const Spread spread = final_loss(outcome);
    rows.push_back({outcome.scheme, fmt::format("{:.4f}", spread_of(train).mean),
                    fmt::format("{:.4f}", spread.mean), fmt::format("{:.4f}", spread.least),
                    fmt::format("{:.4f}", spread.most)});
  }
  lab.show(table(rows));
}

/// Best and second by mean loss, and whether their spreads over seeds overlap.
void tell_winner(Lab& lab, const std::vector<Outcome>& outcomes) {
  std::vector<const Outcome*> order;
  for (const Outcome& outcome : outcomes) order.push_back(&outcome);
  std::sort(order.begin(), order.end(), [](const Outcome* a, const Outcome* b) {
    return final_loss(*a).mean < final_loss(*b).mean;
  });
  const Spread first = final_loss(*order[0]), second = final_loss(*order[1]);
  const double gap = second.mean - first.mean;
  if (order[0]->runs.size() == 1)
    lab.say(
        "{} ends lowest, {:.4f} below {}. This is one seed: run the lab with --full for three "
        "and their spread before you believe a small gap.",
        order[0]->scheme, gap, order[1]->scheme);
  else if (!lie_apart(first, second))
    lab.say(
        "{} and {} differ by {:.4f}, inside the spread over seeds: no difference beyond seed "
        "noise.",
        order[0]->scheme, order[1]->scheme, gap);
  else
    lab.say("{} ends lowest, {:.4f} below {}, and their spreads over {} seeds do not overlap.",
            order[0]->scheme, gap, order[1]->scheme, order[0]->runs.size());
}

void show_text(Lab& lab, const std::vector<Outcome>& outcomes, const std::string& prompt) {
  lab.say("Each continues \"{}\" (temperature 0.8, seed 1):", prompt);
  for (const Outcome& outcome : outcomes) {
    const Run run = load_run(outcome.folders[0]);
    const Encoded tokens =
        generate(*run.model, run.tokenizer.encode(prompt), 120, {.temperature = 0.8, .seed = 1});
    std::string text = prompt + run.tokenizer.decode(tokens);
    std::replace(text.begin(), text.end(), '\n', '/');
    lab.show(fmt::format("  {:<10} {}", outcome.scheme, text));
  }
}

void experiment(Lab& lab, const Plan& plan, const Corpus& corpus, const std::string& prompt) {
  lab.section("experiment", "five schemes on " + corpus.name);
  const std::size_t vocabulary = CharTokenizer::from_text(corpus.text).vocabulary_size();
  const std::vector<Outcome> outcomes = train_all(plan, corpus);
  show_losses(lab, outcomes);
  tell_winner(lab, outcomes);
  if (corpus.entropy_floor)
    lab.say("The entropy of this text is {:.4f} nats per character: the floor of every loss.",
            *corpus.entropy_floor);
  check_training(lab, outcomes, corpus, vocabulary);
  lab.figure(loss_figure(outcomes, corpus));
  lab.figure(position_figure(outcomes, corpus));
  show_text(lab, outcomes, prompt);
}

/// The start of the first line of a text, to be continued.
std::string prompt_of(const Corpus& corpus) {
  const CharTokenizer tokenizer = CharTokenizer::from_text(corpus.text);
  Encoded tokens = tokenizer.encode(corpus.text);
  tokens.resize(std::min<std::size_t>(tokens.size(), 12));
  return tokenizer.decode(tokens);
}

void explain(Lab& lab) {
  lab.section("explain", "the question");
  lab.say(
      "1. `none` gets no positions at all and still learns. Where can the order it knows come "
      "from? Look at the loss by position on the toy language: at which places is `none` furthest "
      "from `rope` and `alibi`, and why there?");
  lab.say(
      "2. Why is `learned` hardly better than `none` after so few steps, and `sinusoidal` worse? "
      "What do the longer runs of --full change?");
}

void body(Lab& lab) {
  use_single_threaded_blas();
  const Plan plan = plan_of(lab);
  const Corpus toy = load_corpus("toy", lab.options().seed);
  const Corpus text = load_corpus(lab.options().text ? lab.options().text->string() : "kjv");
  const std::size_t vocabulary = CharTokenizer::from_text(toy.text).vocabulary_size();
  predict(lab);
  build(lab, plan, vocabulary);
  prove(lab, plan, vocabulary);
  experiment(lab, plan, toy, "the dog ");
  experiment(lab, plan, text, lab.options().text ? prompt_of(text) : "In the beginning ");
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab06

int main(int argc, char** argv) {
  return phasor::run_lab({"lab06_mini_gpt", "The Mini-GPT and its positions",
                          "Train one small GPT with five positional schemes and compare them."},
                         argc, argv, {}, phasor::lab06::body);
}
