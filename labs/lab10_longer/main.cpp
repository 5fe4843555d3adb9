// Lab 10: slow a rotation so that it reaches further, then read long windows with every scheme.
#include <algorithm>
#include <cmath>

#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/lab10_longer/exercise.hpp"
#include "labs/lab10_longer/experiment.hpp"
#include "labs/lab10_longer/figures.hpp"
#include "labs/lab10_longer/proof.hpp"
#include "labs/lab10_longer/reading.hpp"
#include "phasor/course/length/figures.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::lab10 {
namespace {

Plan plan_of(const Lab& lab, std::size_t steps) {
  Plan plan;
  plan.folder = lab.options().out / "runs";
  for (const Group& group : groups())
    plan.schemes.insert(plan.schemes.end(), group.schemes.begin(), group.schemes.end());
  plan.side_by_side = true;
  plan.evaluation_tokens = 0;  // measure() does it
  plan.model.width = 32;
  plan.model.heads = 4;
  plan.model.context = 64;
  plan.train.batch = 16;
  plan.train.lr = 6e-3;
  plan.train.min_lr = 6e-4;
  plan.train.eval_tokens = 4096;
  const std::uint64_t seed = lab.options().seed;
  plan.seeds = lab.full() ? std::vector{seed, seed + 1, seed + 2} : std::vector{seed};
  plan.train.steps = steps > 0 ? steps : lab.full() ? 1500 : 300;
  plan.train.warmup = std::min<std::size_t>(40, plan.train.steps / 4);
  plan.train.eval_every = plan.train.steps;
  return plan;
}

void predict(Lab& lab) {
  lab.section("predict", "write your answers down before you read on");
  lab.say(
      "1. A model is trained on windows of 64 characters and then reads windows of 512. By how "
      "many percent does its loss rise? Put in order, from the least rise to the most: none, "
      "sinusoidal, rope, alibi (column \"rise\" of the table below). What happens to learned?");
  lab.say(
      "2. To let a rotation reach four times further, which pairs of columns would you slow down: "
      "the fast ones, the slow ones, or all?");
  lab.say(
      "3. A model that uses nothing but the last ten characters: is its mean loss lower in windows "
      "of 512 than in windows of 64?");
}

/// The learner's frequencies in a trained model must read like the library's own scaling. The text
/// is that of the tables, so that PI and NTK have the same loss here and there.
void prove_in_a_model(Lab& lab, const std::filesystem::path& run, std::size_t tokens) {
  const Encoded validation = validation_of(load_run_config(run), tokens + 1);
  Workers workers(0);
  for (const auto& [kind, name] :
       {std::pair{Scaling::kInterpolation, "pi"}, std::pair{Scaling::kNtk, "ntk"},
        std::pair{Scaling::kYarn, "yarn, its frequencies alone"}}) {
    const bool yarn = kind == Scaling::kYarn;
    const Run library =
        load_run(run, yarn ? kYarnRamps[0].options(false) : scaled(name, kTunedMultiple));
    const std::size_t length = kTunedMultiple * library.config.model.context;
    const double expected = evaluate(*library.model, validation, {.context = length}, workers).loss;
    // Frequencies that differ in their last place give the same cosines in single precision, but
    // for a few of them: the mean over hundreds of characters hardly moves.
    const std::string what =
        fmt::format("{}: your frequencies, in the trained model, at {} characters", name, length);
    lab.check(what, loss_with(kind, kTunedMultiple, run, validation), expected, 1e-5,
              cause_of(what, kCauses));
  }
}

void show_lengths(Lab& lab, const std::vector<LengthCurve>& curves, const std::string& corner) {
  std::vector<std::vector<std::string>> rows{{corner}};
  for (const std::size_t multiple : curves[0].multiples)
    rows[0].push_back(fmt::to_string(multiple * curves[0].trained));
  const std::size_t last = curves[0].multiples.size() - 1;
  rows[0].push_back("rise");
  rows[0].push_back("steady to");
  for (const LengthCurve& curve : curves) {
    rows.push_back({curve.label});
    for (std::size_t i = 0; i < curve.multiples.size(); ++i) {
      const Spread loss = curve.loss(i);
      rows.back().push_back(!curve.reaches(i) ? std::string("-")
                            : curve.runs() == 1
                                ? fmt::format("{:.3f}", loss.mean)
                                : fmt::format("{:.3f} +- {:.3f}", loss.mean, loss.width() / 2));
    }
    rows.back().push_back(curve.reaches(last)
                              ? fmt::format("{:+.0f} %", 100 * curve.rise(last).mean)
                              : std::string("-"));
    rows.back().push_back(fmt::to_string(steady_to(curve) * curve.trained));
  }
  lab.show(table(rows));
}

void show_tuned(Lab& lab, const Study& study) {
  const LengthCurve& rope = study.scalings[0];
  lab.say(
      "Trained on for {} steps on windows of {} characters, once with each scaling by {} (loss at "
      "{}; in windows of {} it was {:.3f}):",
      study.tuning_steps, kTunedMultiple * rope.trained, kTunedMultiple,
      kTunedMultiple * rope.trained, rope.trained, rope.loss(0).mean);
  std::vector<std::vector<std::string>> rows{{"scaling", "before", "after"}};
  for (const Tuned& one : study.tuned)
    rows.push_back({one.kind, phasor::text_of(one.before), phasor::text_of(one.after)});
  lab.show(table(rows));
  lab.say("{}", reading_of_tuning(study));
}

void show_ramps(Lab& lab, const Study& study) {
  const std::size_t length = kTunedMultiple * study.scalings[0].trained;
  lab.say(
      "The line yarn has more in it than frequencies: YaRN also multiplies cos and sin by "
      "0.1 ln s + 1, which is {:.3f} for {}, and the library's ramp is by default that of the "
      "authors' code. Loss at {} characters with either part:",
      0.1 * std::log(static_cast<double>(kTunedMultiple)) + 1, kTunedMultiple, length);
  std::vector<std::vector<std::string>> rows{
      {"YaRN's ramp", "frequencies alone", "with the factor"}};
  for (const RampLoss& one : study.ramps)
    rows.push_back({one.ramp, phasor::text_of(one.alone), phasor::text_of(one.with_factor)});
  lab.show(table(rows));
  lab.say("{}", reading_of_ramps(study));
}

void experiment(Lab& lab, const Plan& plan, const Corpus& corpus, std::size_t tokens) {
  lab.section("experiment", fmt::format("{} schemes, trained on {} characters", plan.schemes.size(),
                                        plan.model.context));
  const std::vector<Outcome> outcomes = train_all(plan, corpus);
  const Study study = measure(outcomes, corpus, tokens, plan.train.steps / 3);
  for (const Outcome& outcome : outcomes)
    if (outcome.scheme == "rope") prove_in_a_model(lab, outcome.folders[0], tokens);
  lab.say(
      "Loss in nats per character, in windows of so many characters; the same text at every "
      "length. \"Rise\": from the training length to the longest window, in percent of the loss. "
      "\"Steady to\": the longest window whose loss is at most {:.0f} % above that of the training "
      "length.",
      100 * kSteady);
  show_lengths(lab, study.curves, "scheme");
  if (corpus.entropy_floor)
    lab.say("The entropy of the text, the floor of every loss: {:.3f}.", *corpus.entropy_floor);
  lab.say("{}", reading_of(study.curves));
  lab.say("RoPE, slowed by as much as the window is longer, without any further training:");
  show_lengths(lab, study.scalings, "scaling");
  lab.say("{}", reading_of_scalings(study.scalings));
  show_ramps(lab, study);
  show_tuned(lab, study);
  lab.figure(length_figure(study, corpus));
  lab.figure(scalings_figure(study, corpus));
  lab.figure(position_figure(study, corpus));
  lab.figure(windows_figure(study, corpus));
  if (corpus.name == "toy") lab.figure(comparison_figure(compare_lengths(plan.folder)));
  for (const std::string& paragraph : published(study)) lab.say("{}", paragraph);
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figures");
  lab.say(
      "In lab10-windows compare 64 and 512 characters; the caption has the numbers. In which panel "
      "does \"side by side\" fall although \"sliding\" does not? All that the longer window has "
      "gained there is that fewer characters stand at its start. So it is with the reader of ten "
      "characters in prediction 3.");
  lab.say(
      "Then follow the same four schemes in lab10-position beyond place 64, where no model was "
      "trained. Which of them reads there as it does before, and which no longer know what they "
      "read?");
}

void body(Lab& lab, std::size_t steps, std::size_t tokens) {
  use_single_threaded_blas();
  const Plan plan = plan_of(lab, steps);
  const Corpus corpus = corpus_of(lab.options());
  predict(lab);
  lab.section("build", "the frequencies of a slowed rotation");
  if (!lab.check_usable("a head of width 16 gets 8 frequencies, finite and above 0, from each kind",
                        [] { return unusable(::inverse_frequencies); }))
    return;
  const TrainedRotation rotation{plan.model.width / plan.model.heads, 10000,
                                 static_cast<double>(plan.model.context), 1, kYarnTurns};
  lab.say(
      "A head of width {} has {} pairs. Trained on {} characters, they turn so often within a "
      "window:",
      rotation.width, rotation.width / 2, plan.model.context);
  lab.show(turns_table(rotation));
  lab.section("check", "do the ends meet, and the ramp between them?");
  print_checks(lab, prove(::inverse_frequencies), kCauses);
  if (!lab.goes_on()) return;
  lab.section("look", "the same numbers as pictures");
  lab.figure(frequencies_figure(4, rotation));
  experiment(lab, plan, corpus, tokens);
  lab.audit();
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab10

int main(int argc, char** argv) {
  std::int64_t steps = 0, windows = 16;
  const std::vector<phasor::ExtraOption> extras = {
      {"--steps", "training steps of each scheme, 0: those of the profile", &steps, 0, 100000},
      {"--windows", "longest windows of validation text that are read", &windows, 1, 100}};
  return phasor::run_lab(
      {"lab10_longer", "Longer than in training",
       "Slow a rotation so that it reaches further, and read long windows with every scheme."},
      argc, argv, extras, [&](phasor::Lab& lab) {
        phasor::lab10::body(lab, static_cast<std::size_t>(steps),
                            512 * static_cast<std::size_t>(windows));
      });
}
