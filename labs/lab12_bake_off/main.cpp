// Lab 12: a positional scheme of your own, against all others.
#include <algorithm>
#include <cmath>

#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab12_bake_off/exercise.hpp"
#include "labs/lab12_bake_off/experiment.hpp"
#include "labs/lab12_bake_off/figures.hpp"
#include "labs/lab12_bake_off/proof.hpp"
#include "labs/lab12_bake_off/reading.hpp"
#include "phasor/course/bake_off/figures.hpp"
#include "phasor/position/kernel.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::lab12 {
namespace {

constexpr std::size_t kHeads = 4, kWidth = 32;

/// `steps` of every training; 0: those of the profile.
BakeOff plan_of(const Lab& lab, std::size_t steps) {
  const std::uint64_t seed = lab.options().seed;
  BakeOff plan;
  for (const SchemeEntry& entry : schemes()) plan.schemes.push_back(entry.name);
  plan.seeds = {seed, seed + 1, seed + 2};
  plan.text.folder = lab.options().out / "runs";
  plan.text.model.width = kWidth;
  plan.text.model.heads = kHeads;
  plan.text.train.batch = 8;
  plan.text.train.lr = 1e-2;
  plan.text.train.min_lr = 1e-3;
  plan.text.train.warmup = 20;
  plan.text.train.eval_tokens = 4096;
  plan.task_training = plan.text.train;
  plan.task_training.batch = 32;
  plan.task_training.lr = 6e-3;
  plan.task_training.min_lr = 6e-4;
  if (lab.full()) {
    plan.repeated = plan.on_tasks = plan.schemes;
    plan.task_seeds = plan.seeds;
    plan.text.train.steps = 1500;
    plan.task_training.steps = 1500;
  } else {
    plan.repeated = {"none", "sinusoidal", "learned", "alibi", "rope"};
    plan.on_tasks = {"none", "learned", "alibi", "rope", kMine};
    plan.task_seeds = {seed};
    plan.text.train.steps = 300;
    plan.task_training.steps = 1000;
  }
  if (steps > 0) plan.text.train.steps = plan.task_training.steps = steps;
  plan.text.train.eval_every = plan.text.train.steps;
  return plan;
}

PlainFunctions my_functions() {
  return {.parameters = my_parameters,
          .bias = my_bias,
          .bias_slopes = my_bias_slopes,
          .angle = my_angle,
          .is_relative = my_scheme_is_relative()};
}

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say(
      "1. Which scheme ends lowest on a text, and does the same one win at four times the "
      "training length?");
  lab.say(
      "2. Trained to copy up to 6 letters: which schemes copy 12, and which do not even copy 7?");
  lab.say("3. How many of the schemes can one seed tell apart?");
}

void build(Lab& lab) {
  lab.say("{}: \"{}\", {}.", kMine, my_idea(),
          my_scheme_is_relative() ? "relative, so you say" : "not relative, so you say");
  const xt::xarray<double> parameters = my_parameters(kHeads);
  std::vector<std::vector<std::string>> rows = {{"head", "distance 0", "1", "2", "4", "16", "64"}};
  for (std::size_t h = 0; h < kHeads; ++h) {
    rows.push_back({fmt::to_string(h)});
    for (const double distance : {0, 1, 2, 4, 16, 64})
      rows.back().push_back(fmt::format("{:.3f}", my_bias(parameters, h, distance)));
  }
  lab.say("What it adds to the logits, before training:");
  lab.show(table(rows));
}

/// That the scheme holds to what every scheme has to.
void check_scheme(Lab& lab) {
  lab.section("check", "is it a scheme?");
  for (const SchemeCheck& check : prove(my_functions(), kHeads)) {
    const std::string_view cause = cause_of(check.what, kCauses);
    if (check.problem.empty())
      lab.check(check.what, check.measured, 0, check.tolerance, cause);
    else
      lab.check(check.what, false, check.problem, cause);
  }
}

void look(Lab& lab) {
  lab.section("look", "your scheme by distance");
  constexpr std::size_t kDistances = 65;
  const SchemeSizes sizes{kWidth, kHeads, 64};
  Rng rng(1);
  const auto scheme = make_scheme(kMine, {}, sizes, rng);
  const Tensor kernel = score_kernel(*scheme, sizes, consecutive_positions(kDistances), true);
  xt::xarray<double> score = xt::zeros<double>({kHeads, kDistances}), weights = score;
  for (std::size_t h = 0; h < kHeads; ++h) {
    double sum = 0;
    for (std::size_t d = 0; d < kDistances; ++d) {
      score(h, d) = static_cast<double>(kernel(h, kDistances - 1, kDistances - 1 - d));
      sum += std::exp(score(h, d));
    }
    for (std::size_t d = 0; d < kDistances; ++d) weights(h, d) = std::exp(score(h, d)) / sum;
  }
  lab.figure(mine_figure(score, weights, my_idea()));
}

void experiment(Lab& lab, const BakeOff& plan, const Corpus& corpus) {
  lab.section("experiment", fmt::format("{} schemes, the same budget", plan.schemes.size()));
  const GptConfig& model = plan.text.model;
  const auto which = [&](const std::vector<std::string>& some) {
    return some.size() == plan.schemes.size() ? std::string("all schemes")
                                              : fmt::format("{}", fmt::join(some, ", "));
  };
  lab.say(
      "Width {}, {} heads, {} layers. On {}: {} steps of {} windows of {} characters; {} seeds for "
      "{}{}. On the tasks: {} steps of {} examples, {} seed{}, for {}.{}",
      model.width, model.heads, model.layers, corpus.name, plan.text.train.steps,
      plan.text.train.batch, model.context, plan.seeds.size(), which(plan.repeated),
      plan.repeated.size() == plan.schemes.size() ? "" : ", one for the others",
      plan.task_training.steps, plan.task_training.batch, plan.task_seeds.size(),
      plan.task_seeds.size() == 1 ? "" : "s", which(plan.on_tasks),
      lab.full() ? "" : " With --full all schemes do everything, with three seeds.");
  std::vector<Row> rows = bake_off(plan, corpus);
  measure_steps(rows, plan, corpus);
  lab.show(results_table(rows, model.context));
  lab.figure(bake_off_figure(rows, corpus, model.context));
  if (corpus.name == "toy")
    lab.figure(schemes_figure(facts_of_schemes(plan.text.folder), model.context));
  for (const std::string& paragraph : reading_of(rows, model.context)) lab.say("{}", paragraph);
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figure");
  lab.say(
      "In lab12-bake-off find, for copy and reverse, a scheme that is right at the trained length "
      "and never one letter later, and one that goes on for a while. What does each of them know "
      "of the letter before this one on a line longer than any it was trained on? Then look at the "
      "second column of the loss: is it the same scheme that stays level there?");
}

void body(Lab& lab, std::size_t steps) {
  use_single_threaded_blas();
  add_scheme(plain_scheme(kMine, my_idea(), my_functions()));
  predict(lab);
  lab.section("build", "your scheme");
  if (!lab.check_usable(fmt::format("my_parameters({0}) is [{0}, N]", kHeads),
                        [] { return unusable(my_functions(), kHeads); }))
    return;
  build(lab);
  check_scheme(lab);
  if (!lab.goes_on()) return;
  look(lab);
  const Corpus corpus = corpus_of(lab.options());
  experiment(lab, plan_of(lab, steps), corpus);
  lab.audit();
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab12

int main(int argc, char** argv) {
  std::int64_t steps = 0;
  const std::vector<phasor::ExtraOption> extras = {
      {"--steps", "steps of every training, to try a scheme quickly; 0: enough to compare", &steps,
       0, 1e6}};
  return phasor::run_lab(
      {"lab12_bake_off", "Bake-off", "Write a positional scheme of your own and compare all."},
      argc, argv, extras,
      [&](phasor::Lab& lab) { phasor::lab12::body(lab, static_cast<std::size_t>(steps)); });
}
