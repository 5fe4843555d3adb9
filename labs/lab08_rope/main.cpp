// Lab 08: rotate queries and keys, prove it, look at what becomes of scores, and train with it.
#include <algorithm>
#include <cmath>

#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab08_rope/exercise.hpp"
#include "labs/lab08_rope/figures.hpp"
#include "labs/lab08_rope/proof.hpp"
#include "phasor/analysis/frequency.hpp"
#include "phasor/position/rotation.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::lab08 {
namespace {

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say(
      "1. A query at position m and a key at position n are rotated. Which of these changes their "
      "product: moving both by 100, moving the query alone, swapping m and n?");
  lab.say(
      "2. One content stands at all positions. The scores of all queries with all keys are drawn "
      "as a map: where are there diagonal stripes, with rotated rows of ones, with rotated rows of "
      "random content, with sinusoids alone, with sinusoids added to that content?");
  lab.say(
      "3. After the same few steps, which loss is lowest: rotated, with sines added, with a "
      "learned table added? Is the gap larger than that between two seeds?");
}

void build(Lab& lab) {
  lab.say(
      "A row of ones at positions 0 to 4, width 4, interleaved: w0 = {:g} and w1 = {:g}. The first "
      "pair goes round quickly, the second has hardly moved:",
      frequencies(4, kBase)[0], frequencies(4, kBase)[1]);
  lab.show(table(apply_rope(xt::ones<double>({5, 4}), counted(5), kBase, RopePairing::kInterleaved),
                 "p", {"x0", "y0", "x1", "y1"}, 4));
  lab.say("The same numbers with the pairing `half`, whose pairs are columns 0 and 2, 1 and 3:");
  lab.show(table(apply_rope(xt::ones<double>({5, 4}), counted(5), kBase, RopePairing::kHalf), "p",
                 {"x0", "x1", "y0", "y1"}, 4));
}

/// Largest difference between the learner's rotation and that of the library's scheme.
double difference_from_scheme(RopePairing pairing) {
  constexpr std::size_t T = 64, D = 16;
  Rng rng(1, "scheme");
  const xt::xarray<double> rows = normal_rows(T, D, 1, rng);
  Tensor same = empty({1, 1, T, D});
  std::transform(rows.begin(), rows.end(), same.begin(),
                 [](double value) { return static_cast<Real>(value); });
  const Tensor turned =
      rotate_pairs(Var(same), consecutive_positions(T), rotation_frequencies(kBase, D),
                   {D / 2, pairing == RopePairing::kInterleaved})
          .value();
  const xt::xarray<double> mine = apply_rope(rows, counted(T), kBase, pairing);
  double most = 0;
  for (std::size_t i = 0; i < mine.size(); ++i)
    most = larger(most, std::abs(mine.data()[i] - static_cast<double>(turned.data()[i])));
  return most;
}

void check_functions(Lab& lab, const Written& written) {
  lab.section("check", "is it a rotation, is it the right one, and is its gradient right?");
  print_checks(lab, prove(written), kCauses);
  for (const RopePairing pairing : {RopePairing::kInterleaved, RopePairing::kHalf})
    // Numbers of order one, rounded to float twice: 6e-8 each.
    lab.check(name_of(pairing) + ": largest difference from the library's scheme",
              difference_from_scheme(pairing), 0, 1e-6, cause_of("library's scheme", kCauses));
}

/// Prediction 1, with the learner's own function.
void show_products(Lab& lab, const Written& written) {
  Rng rng(1, "products");
  const xt::xarray<double> rows = normal_rows(2, 16, 1, rng);
  const auto product = [&](double m, double n) {
    const xt::xarray<double> turned =
        written.forward(rows, {m, n}, kBase, RopePairing::kInterleaved);
    double sum = 0;
    for (std::size_t i = 0; i < turned.shape(1); ++i) sum += turned(0, i) * turned(1, i);
    return fmt::format("{:.6f}", sum);
  };
  lab.say("Prediction 1, for a query and a key of random content, turned by your function:");
  lab.show(table({{"", "m", "n", "product"},
                  {"to begin with", "30", "10", product(30, 10)},
                  {"both moved by 100", "130", "110", product(130, 110)},
                  {"the query alone moved by 1", "31", "10", product(31, 10)},
                  {"m and n swapped", "10", "30", product(10, 30)}}));
}

void look(Lab& lab, const Written& written) {
  lab.section("look", "angles, matrices, and maps of scores");
  show_products(lab, written);
  lab.figure(angles_figure(written.forward));
  lab.figure(matrices_figure(written.forward));
  lab.figure(stripes_figure(stripe_maps(written)));
  lab.figure(normaliser_figure(written.forward));
}

Plan plan_of(const Lab& lab) {
  const std::uint64_t seed = lab.options().seed;
  Plan plan;
  plan.schemes = {"rope", "sinusoidal", "learned"};
  plan.seeds = {seed, seed + 1, seed + 2};
  plan.folder = lab.options().out / "runs";
  plan.train.lr = 3e-3;
  plan.train.min_lr = 3e-4;
  plan.side_by_side = true;
  if (lab.full()) {
    plan.train.steps = 800;
    plan.train.eval_every = 40;
    return plan;
  }
  plan.train.batch = 16;
  plan.train.steps = 120;
  plan.train.warmup = 15;
  plan.train.eval_every = 15;
  plan.train.eval_tokens = 4000;
  plan.evaluation_tokens = 8000;
  return plan;
}

/// The first recorded step at which the loss of a seed is at most `loss`; "-" where there is none.
std::string step_to(const RunReport& run, double loss) {
  for (const MetricsRecord& record : run.records)
    if (record.validation_loss <= loss) return fmt::to_string(record.step);
  return "-";
}

void show_losses(Lab& lab, const std::vector<Outcome>& outcomes) {
  double target = 0;  // what every scheme has reached: the highest of the last losses
  for (const Outcome& outcome : outcomes)
    for (const RunReport& run : outcome.runs)
      target = std::max(target, run.records.back().validation_loss);
  std::vector<std::vector<std::string>> rows = {
      {"scheme", "validation loss", "least", "most", fmt::format("steps to {:.3f}", target)}};
  for (const Outcome& outcome : outcomes) {
    const Spread loss = final_loss(outcome);
    std::string steps;
    for (const RunReport& run : outcome.runs)
      steps += (steps.empty() ? "" : ", ") + step_to(run, target);
    rows.push_back({outcome.scheme, fmt::format("{:.4f}", loss.mean),
                    fmt::format("{:.4f}", loss.least), fmt::format("{:.4f}", loss.most), steps});
  }
  lab.show(table(rows));
  lab.say(
      "{:.3f} is the last loss on the way of the run that ended highest: every run gets there, the "
      "column says how soon.",
      target);
}

/// One line for each added encoding: whether the rotation's lead is more than noise.
void tell_difference(Lab& lab, const std::vector<Outcome>& outcomes) {
  const Spread rotated = final_loss(outcomes[0]);
  for (std::size_t i = 1; i < outcomes.size(); ++i) {
    const Spread added = final_loss(outcomes[i]);
    const double gap = added.mean - rotated.mean;
    if (lie_apart(rotated, added))
      lab.say("rope ends {:.3f} nats {} {}, and their spreads over {} seeds do not overlap.",
              std::abs(gap), gap > 0 ? "below" : "above", outcomes[i].scheme,
              outcomes[0].runs.size());
    else
      lab.say(
          "rope and {} differ by {:.3f}, inside the spread over {} seeds: no difference beyond "
          "seed noise.",
          outcomes[i].scheme, std::abs(gap), outcomes[0].runs.size());
  }
}

void experiment(Lab& lab, const Corpus& corpus) {
  lab.section("experiment", "rotation against addition in training, on " + short_name(corpus));
  const Plan plan = plan_of(lab);
  lab.say(
      "These models turn queries and keys by the library's own rotation, with which CHECK has "
      "compared yours; your function is not called in training.");
  lab.say("Width {}, {} layers, context {}; {} seeds each, {} steps of {} windows.",
          plan.model.width, plan.model.layers, plan.model.context, plan.seeds.size(),
          plan.train.steps, plan.train.batch);
  const std::vector<Outcome> outcomes = train_all(plan, corpus);
  lab.say(
      "Losses after training, on {} characters in windows spread over the validation text. The "
      "steps in the last column, and the audit below, are from losses on some {} characters, "
      "measured on the way: the same runs have slightly different losses there.",
      outcomes[0].evaluations[0].tokens, plan.train.eval_tokens);
  show_losses(lab, outcomes);
  tell_difference(lab, outcomes);
  lab.say(
      "That is a model of two layers on a small language. Published models of hundreds of millions "
      "of parameters differ less: WikiText-103 at the training length has perplexity 20.05 with "
      "sines and 20.07 with rotation (Press et al. 2021, table 2).");
  for (const Outcome& outcome : outcomes)
    if (corpus.entropy_floor)
      lab.check(
          outcome.scheme + ": no seed ends below the entropy of the text",
          final_loss(outcome).least > *corpus.entropy_floor,
          fmt::format("{:.3f} against {:.3f}", final_loss(outcome).least, *corpus.entropy_floor));
  lab.figure(loss_figure(outcomes, plan, corpus));
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "In lab08-stripes three maps have stripes and one has not, although all four hold the same "
      "sinusoids. What is in the fourth that the others lack, and why does the map of rotated "
      "content not suffer from it? Then look at lab08-loss: within which steps does sinusoidal "
      "fall behind rope, and from which step on learned?");
}

void run(Lab& lab) {
  use_single_threaded_blas();
  const Corpus corpus = corpus_of(lab.options());
  predict(lab);
  lab.section("build", "turn pairs of columns");
  const Written written = {apply_rope, apply_rope_backward};
  if (!lab.check_usable("apply_rope and its backward turn a 3 x 4 array into one of finite numbers",
                        [&] { return unusable(written); }))
    return;
  build(lab);
  check_functions(lab, written);
  if (!lab.goes_on()) return;
  look(lab, written);
  experiment(lab, corpus);
  lab.audit({.rotate = [](const xt::xarray<double>& rows, const std::vector<double>& positions,
                          double base) {
    return apply_rope(rows, positions, base, RopePairing::kInterleaved);
  }});
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab08

int main(int argc, char** argv) {
  return phasor::run_lab({"lab08_rope", "Rotary position embedding",
                          "Rotate queries and keys, prove it, and train with it."},
                         argc, argv, {}, phasor::lab08::run);
}
