// Lab 11: train with RoPE, take it away, let the model recover, and see how far it then reads.
#include <algorithm>
#include <cmath>

#include "labs/common/lab.hpp"
#include "labs/common/table.hpp"
#include "labs/common/training.hpp"
#include "labs/lab11_drope/exercise.hpp"
#include "labs/lab11_drope/experiment.hpp"
#include "labs/lab11_drope/proof.hpp"
#include "phasor/course/drope/figures.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::lab11 {
namespace {

Plan plan_of(const Lab& lab, std::size_t steps) {
  Plan plan;
  plan.folder = lab.options().out / "runs";
  plan.config.model.width = 32;
  plan.config.model.heads = 4;
  plan.config.model.layers = 4;  // without positions order has to be worked out layer by layer
  plan.config.model.context = 64;
  TrainConfig& train = plan.config.train;
  train.batch = 16;
  train.lr = 4e-3;
  train.min_lr = 4e-4;
  train.steps = steps > 0 ? steps : lab.full() ? 4000 : 1000;
  train.drop_positions_at = train.steps / 2;
  train.warmup = std::min<std::size_t>(40, train.steps / 4);
  train.eval_every = std::max<std::size_t>(1, train.steps / 40);
  train.eval_tokens = 4096;
  const std::size_t seeds = lab.full() ? 3 : 1;
  for (std::size_t n = 0; n < seeds; ++n) plan.seeds.push_back(lab.options().seed + n);
  return plan;
}

void predict(Lab& lab, std::size_t vocabulary) {
  lab.section("predict", "write your answers down before you read on");
  lab.say(
      "1. RoPE is taken out of a model that was trained with it, and not one weight is changed. Is "
      "its loss then nearer to the loss before, or to that of a model that knows nothing (ln {} = "
      "{:.2f})?",
      vocabulary, std::log(static_cast<double>(vocabulary)));
  lab.say(
      "2. It is trained on without RoPE. After how many steps is it back where it was: as many as "
      "it took to get there, half as many, a tenth?");
  lab.say(
      "3. Which reads windows of four times the length best: the model that kept RoPE, the one "
      "that lost it, or one that never had it?");
}

/// The drop of a model that was trained for no step must be the library's own drop.
void prove_in_a_model(Lab& lab, const Plan& plan, std::size_t vocabulary) {
  GptConfig config = plan.config.model;
  config.scheme = "rope";
  config.vocabulary = vocabulary;
  Rng rng(lab.options().seed, "weights");
  Gpt model(config, rng);
  const RotatedModel trained = plain_values(model);
  const RotatedModel dropped = ::drop_and_recalibrate(
      trained, config.context, 0,
      [](const RotatedModel& start, std::size_t, std::size_t) { return start; });
  const std::unique_ptr<Gpt> yours = model_of(dropped, config);
  model.drop_positions();
  Indices tokens = Indices::from_shape({1, config.context});
  for (std::size_t t = 0; t < config.context; ++t)
    tokens(0, t) = static_cast<std::int64_t>(t % config.vocabulary);
  const NoGrad no_grad;
  const Tensor a = (*yours)(tokens).value(), b = model(tokens).value();
  // The same weights through the same operations.
  lab.check("a whole model, dropped by you and by the library: largest difference of the logits",
            largest_difference(xt::cast<double>(a), xt::cast<double>(b)), 0, 0);
}

void show_arms(Lab& lab, const DropeStudy& study) {
  const auto cell = [&](const Spread& loss) {
    return study.runs == 1 ? fmt::format("{:.3f}", loss.mean)
                           : fmt::format("{:.3f} +- {:.3f}", loss.mean, loss.width() / 2);
  };
  std::vector<std::vector<std::string>> rows{{"", fmt::format("step {}", study.dropped_at),
                                              "right after", fmt::format("step {}", study.steps)}};
  rows.push_back({study.kept.label, cell(study.before()), "", cell(study.kept.last())});
  rows.push_back(
      {study.dropped.label, cell(study.before()), cell(study.after()), cell(study.dropped.last())});
  rows.push_back({study.control.label,
                  cell(study.control.loss(study.control.record_at(study.dropped_at))), "",
                  cell(study.control.last())});
  lab.show(table(rows));
}

void show_lengths(Lab& lab, const std::vector<const LengthCurve*>& curves) {
  std::vector<std::vector<std::string>> rows{{"window"}};
  const LengthCurve& any = *curves.front();
  for (const std::size_t multiple : any.multiples)
    rows[0].push_back(fmt::to_string(multiple * any.trained));
  for (const LengthCurve* curve : curves) {
    rows.push_back({curve->label});
    for (std::size_t i = 0; i < curve->multiples.size(); ++i)
      rows.back().push_back(phasor::text_of(curve->loss(i)));
  }
  lab.show(table(rows));
}

/// What the first half was good for: how long the control takes for what the dropped model does.
std::string reading_of(const DropeStudy& study) {
  const std::size_t first = study.dropped_at, rest = study.steps - first;
  const auto control = study.control_steps_to(study.dropped.last().mean);
  const std::string needs =
      control ? fmt::format(
                    "The model that never had RoPE needs {} steps for that, from nothing, where "
                    "the dropped one took {} + {}",
                    *control, first, rest)
              : fmt::format("The model that never had RoPE does not get there in {} steps",
                            study.steps);
  const std::string worth =
      !control ? fmt::format("the {0} steps with RoPE were worth more than {0} without", first)
      : *control <= rest
          ? "the steps with RoPE were of no use to it"
          : fmt::format("the {} steps with RoPE stood in for {}", first, *control - rest);
  const auto healed = study.healed_after();
  return fmt::format(
      "{} steps after the drop the dropped model is at {:.3f}. {}: {}. {}", rest,
      study.dropped.last().mean, needs, worth,
      healed ? fmt::format("Where it was before the drop, it is again after {} steps.", *healed)
             : std::string("Where it was before the drop, it is not again."));
}

/// Which of the temperatures reads the longest windows best, and by how much.
std::string reading_of(const std::vector<LengthCurve>& temperatures) {
  const std::size_t last = temperatures[0].multiples.size() - 1;
  const LengthCurve* best = &temperatures[0];
  std::vector<double> others;
  for (const LengthCurve& curve : temperatures) {
    if (curve.loss(last).mean < best->loss(last).mean) best = &curve;
    if (&curve != &temperatures[0]) others.push_back(curve.loss(last).mean);
  }
  const double without = temperatures[0].loss(last).mean;
  const Spread with = spread_of(others);
  if (with.least > (1 + kSteady) * without)
    return fmt::format(
        "Every temperature reads the longest windows worse: {:.3f} without, {:.3f} to {:.3f} with.",
        without, with.least, with.most);
  const double gain = 1 - best->loss(last).mean / without;
  if (best == &temperatures[0] || gain < 0.01)
    return "None of the temperatures helps by as much as one percent in the longest windows.";
  return fmt::format(
      "In the longest windows {} is best of those tried, {:.0f} % below no temperature{}.",
      best->label, 100 * gain, gain < kSteady ? ", which may be noise" : "");
}

/// The published perplexities beside those of this lab, and the order of the three in both.
std::string published(const DropeStudy& study) {
  const double kept = study.kept.last().mean, dropped = study.dropped.last().mean,
               control = study.control.last().mean;
  std::vector<std::pair<double, std::string>> order{
      {kept, "RoPE kept"}, {dropped, "dropped"}, {control, "without from the start"}};
  std::sort(order.begin(), order.end());
  return fmt::format(
      "Published (Gelberg et al. 2025; validation perplexity of a language model, equal steps): "
      "RoPE kept 21.72, dropped late 21.73, dropped half way 22.42, without positions from the "
      "start 23.77. Here, perplexity of a character, from best to worst: {} {:.3f}, {} {:.3f}, {} "
      "{:.3f}. A model of this size can show the jump, how long the recovery takes, and what the "
      "steps with RoPE are worth beside a control. It cannot show what the drop is for, which is "
      "to find a fact in a text of a hundred thousand tokens; nor that order can be worked out "
      "without positions as well as with them, for which it has few layers and the toy language, "
      "made of order, is hard.",
      order[0].second, std::exp(order[0].first), order[1].second, std::exp(order[1].first),
      order[2].second, std::exp(order[2].first));
}

void experiment(Lab& lab, const Plan& plan, const Corpus& corpus) {
  const TrainConfig& train = plan.config.train;
  lab.section("experiment",
              fmt::format("RoPE for {} of {} steps", train.drop_positions_at, train.steps));
  train_ways(plan, corpus, ::drop_and_recalibrate);
  const std::string name = short_name(corpus);
  const auto found = drope_study(plan.folder, name, true);
  if (!found) return;  // cannot be: they were just trained
  const DropeStudy& study = *found;
  lab.say("Validation loss, in nats per character:");
  show_arms(lab, study);
  lab.say("{}", reading_of(study));
  std::vector<LengthCurve> temperatures;
  for (const double c : kTemperatures)
    temperatures.push_back(with_temperature(plan.folder, name, c));
  lab.say("After all steps, in longer windows:");
  show_lengths(lab, {&study.kept_length, &study.scaled_length, &study.dropped_length,
                     &study.control_length});
  lab.say("The dropped model again, its logits times 1 + c ln(l / L):");
  std::vector<const LengthCurve*> warmer;
  for (const LengthCurve& curve : temperatures) warmer.push_back(&curve);
  show_lengths(lab, warmer);
  lab.say("{}", reading_of(temperatures));
  lab.figure(drope_figure(study, temperatures));
  lab.say("{}", published(study));
}

void explain(Lab& lab) {
  lab.section("explain", "answer from the figure");
  lab.say(
      "Right after the drop no weight has changed, and the loss is high. What in attention has "
      "changed? Follow the line after the drop beside the first steps of the model that never had "
      "RoPE: what does the dropped one learn anew, what has it kept, and where do the two stand in "
      "the panel of longer windows?");
}

void body(Lab& lab, std::size_t steps) {
  use_single_threaded_blas();
  const Plan plan = plan_of(lab, steps);
  const Corpus corpus = corpus_of(lab.options());
  const std::size_t vocabulary = CharTokenizer::from_text(corpus.text).vocabulary_size();
  predict(lab, vocabulary);
  lab.section("build", "what a drop leaves, and what it changes");
  lab.say(
      "At position 2 the first pair of a head is turned by 2 radians, cosine {:.3f} and sine "
      "{:.3f}; at position 0 by none, cosine 1 and sine 0. Dropped, every position is turned as "
      "position 0 is. Nothing that was learned is touched.",
      std::cos(2.0), std::sin(2.0));
  lab.section("check", "do the weights carry over, and only they?");
  print_checks(lab, prove(::drop_and_recalibrate, ::logit_temperature), kCauses);
  if (!lab.goes_on()) return;
  prove_in_a_model(lab, plan, vocabulary);
  experiment(lab, plan, corpus);
  lab.audit();
  explain(lab);
}

}  // namespace
}  // namespace phasor::lab11

int main(int argc, char** argv) {
  std::int64_t steps = 0;
  const std::vector<phasor::ExtraOption> extras = {
      {"--steps", "training steps, half of them after the drop; 0: those of the profile", &steps, 0,
       100000}};
  return phasor::run_lab(
      {"lab11_drope", "Dropping RoPE",
       "Train with RoPE, take it away, let the model recover, and see how far it then reads."},
      argc, argv, extras,
      [&](phasor::Lab& lab) { phasor::lab11::body(lab, static_cast<std::size_t>(steps)); });
}
