// Lab 07: take a trained model's attention scores apart into content and position, and see whether
// distance alone drives them.
#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/common/training.hpp"
#include "labs/lab07_decomposition/exercise.hpp"
#include "labs/lab07_decomposition/proof.hpp"
#include "phasor/course/attention_figure.hpp"
#include "phasor/course/decomposition/figures.hpp"
#include "phasor/course/runs.hpp"

namespace phasor::lab07 {
namespace {

// The model computes in single precision: norm, projections, product. Each score is a sum of 16
// products of sums of 64, which err by some ten roundings of 6e-8; a term left out is off by more
// than a hundredth.
constexpr double kSingle = 2e-5;
constexpr std::size_t kWindows = 20;  // of validation text, for means

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say(
      "1. A query is made of a token and its position, and so is a key. Of which four terms is "
      "their score the sum?");
  lab.say("2. In a trained model, which of the four has the largest part in where attention goes?");
  lab.say("3. PE(i) . PE(j) depends on i - j alone. Is that still so behind W_Q and W_K?");
}

void build(Lab& lab) {
  lab.section("build", "one function: decompose(x, p, wq, wk)");
  lab.show(
      "  (x_i + p_i) wq . (x_j + p_j) wk =   (x_i wq) . (x_j wk)     content-content\n"
      "                                    + (x_i wq) . (p_j wk)     content-position\n"
      "                                    + (p_i wq) . (x_j wk)     position-content\n"
      "                                    + (p_i wq) . (p_j wk)     position-position\n"
      "  each divided by sqrt(D), the width of a head");
}

/// Trains the model that is taken apart; returns its folder.
std::filesystem::path train(Lab& lab, const Corpus& corpus) {
  lab.section("experiment", "a model to take apart: sinusoidal positions, on the toy language");
  Plan plan;
  plan.schemes = {"sinusoidal"};
  plan.seeds = {lab.options().seed};
  plan.folder = lab.options().out / "runs";
  plan.train.lr = 6e-3;
  plan.train.min_lr = 6e-4;
  plan.train.warmup = 20;
  plan.train.batch = lab.full() ? 32 : 16;
  plan.train.steps = lab.full() ? 3000 : 500;
  plan.train.eval_every = plan.train.steps;
  plan.train.eval_tokens = 10000;
  plan.evaluation_tokens = 20000;
  const Outcome outcome = train_all(plan, corpus).front();
  lab.say("{} steps on {}; validation loss {:.3f}, and the entropy of the language is {:.3f}.",
          plan.train.steps, corpus.name, final_loss(outcome).mean,
          corpus.entropy_floor.value_or(0));
  return outcome.folders.front();
}

void check_on_model(Lab& lab, const Run& run, const FirstLayer& layer) {
  lab.check("on the model: largest |sum of the terms - score|, of the largest score", layer.error(),
            0, kSingle);
  const FirstLayer broken = take_apart(run, kSentence, [](std::size_t T, std::size_t d, double) {
    return sinusoid(T, d, 100);  // of another base than the model's
  });
  lab.check("with positions of another base they do not sum to it", broken.error() > 100 * kSingle,
            fmt::format("off by {:.2f}", broken.error()));
}

void show_heads(Lab& lab, const std::vector<HeadParts>& parts) {
  std::vector<std::vector<std::string>> rows = {
      {"head", "c-c", "c-p", "p-c", "p-p", "by distance: positions", "whole score"}};
  for (std::size_t head = 0; head < parts.size(); ++head) {
    rows.push_back({fmt::to_string(head + 1)});
    for (const double share : parts[head].shares)
      rows.back().push_back(fmt::format("{:.0f} %", 100 * share));
    rows.back().push_back(fmt::format("{:.0f} %", 100 * parts[head].positions_by_distance));
    rows.back().push_back(fmt::format("{:.0f} %", 100 * parts[head].scores_by_distance));
  }
  lab.say(
      "Layer 1, over {} windows: the share of each term (c content, p position; the query's "
      "part first), and what the distance alone explains of the score between positions behind "
      "W_Q and W_K, and of the whole score:",
      kWindows);
  lab.show(table(rows));
}

void look(Lab& lab, const Run& run) {
  lab.section("look", "the first layer, taken apart");
  const Decomposer written = [](const Array& x, const Array& p, const Array& wq, const Array& wk) {
    return as_terms(::decompose(x, p, wq, wk));
  };
  const Encoded validation = validation_of(run.config, kWindows * run.config.model.context);
  const FirstLayer layer = take_apart(run, kSentence, sinusoid, written);
  const std::vector<HeadParts> parts = head_parts(run, validation, kWindows);
  check_on_model(lab, run, layer);
  show_heads(lab, parts);
  const std::size_t head = most_positional(parts);
  lab.figure(terms_figure(layer, head));
  lab.figure(shares_figure(parts));
  lab.figure(invariance_figure(invariance_of(run, validation, head)));
  lab.figure(attention_figure(
      attention_maps(*run.model, run.tokenizer, kSentence),
      {.id = "lab07-attention", .title = "What each head of the model looks at", .layer = 0}));
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "In lab07-invariance the lines are flat at the left and not in the middle, although W_Q and "
      "W_K are the same at every position. Which property of the encoding's product do they undo, "
      "and which matrix in place of W_Q W_K^T would keep it?");
}

void body(Lab& lab) {
  predict(lab);
  build(lab);
  lab.section("check", "is it the score, in four parts?");
  if (!lab.check_usable("decompose gives four 5 x 5 arrays of finite numbers",
                        [] { return unusable(::decompose); }))
    return;
  print_checks(lab, prove(::decompose), kCauses);
  if (!lab.goes_on()) return;
  const std::filesystem::path folder = train(lab, load_corpus("toy", lab.options().seed));
  look(lab, load_run(folder));
  lab.audit();
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab07

int main(int argc, char** argv) {
  return phasor::run_lab({"lab07_decomposition", "Content and position in the scores",
                          "Take a trained model's attention scores apart into four terms."},
                         argc, argv, {}, phasor::lab07::body);
}
