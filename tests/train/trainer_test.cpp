// One step of training: what is clipped, accumulated, reported and refused.
#include "phasor/train/trainer.hpp"

#include <limits>

#include "phasor/tensor/gemm.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

Encoded random_text(std::size_t length) {
  Rng rng(5, "text");
  Encoded text;
  for (std::size_t i = 0; i < length; ++i) text.push_back(static_cast<std::int32_t>(rng.below(11)));
  return text;
}

TrainConfig short_training() {
  TrainConfig config;
  config.batch = 5;
  config.steps = 20;
  config.warmup = 4;
  config.clip = 0;
  return config;
}

/// A model, threads and a trainer that outlive each other in the right order.
struct Lesson {
  std::unique_ptr<Gpt> model;
  Workers workers;
  Trainer trainer;
  Lesson(const GptConfig& config, const TrainConfig& training, std::size_t threads = 2)
      : model(lively_model(config)),
        workers(threads),
        trainer(*model, training, random_text(200), workers) {
    use_single_threaded_blas();
  }
};

Batch random_batch(std::size_t B, std::uint64_t seed) {
  return {random_tokens(B, 7, 11, seed), random_tokens(B, 7, 11, seed + 1000)};
}

/// The rows of a, then those of b.
Indices stacked(const Indices& a, const Indices& b) {
  Indices result = Indices::from_shape({a.shape()[0] + b.shape()[0], a.shape()[1]});
  std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), result.begin()));
  return result;
}

std::vector<Tensor> weights_of(const Gpt& model) {
  std::vector<Tensor> result;
  for (const NamedParameter& parameter : model.parameters())
    result.push_back(parameter.value.value());
  return result;
}

REAL_TEST(Trainer, reports_loss_norm_and_rate) {
  for (const SchemeEntry& entry : schemes()) {
    Lesson lesson(tiny_config(entry.name), short_training());
    const TrainConfig config = short_training();
    const Schedule schedule{config.lr, config.min_lr, config.warmup, config.steps};
    const RandomBatches batches(random_text(200), 5, 8, config.seed);
    for (std::size_t step = 0; step < 6; ++step) {
      const LossAndGradient wanted = loss_and_gradient(*lesson.model, batches.at(step),
                                                       {config.seed, step, 0}, lesson.workers);
      EXPECT_EQ(lesson.trainer.steps_done(), step);
      const StepReport report = lesson.trainer.step();
      EXPECT_EQ(report.loss, wanted.loss) << entry.name << ", step " << step;
      EXPECT_EQ(report.gradient_norm, global_norm(wanted.gradients)) << entry.name;
      EXPECT_NEAR(report.learning_rate, schedule.at(step), 1e-15) << entry.name;
    }
  }
}

/// Batches may come from anywhere; those of a text are one such source.
REAL_TEST(Trainer, takes_batches_from_a_source) {
  const TrainConfig config = short_training();
  Lesson lesson(tiny_config("rope"), config);
  const auto model = lively_model(tiny_config("rope"));
  const RandomBatches batches(random_text(200), 5, 8, config.seed);
  std::vector<std::uint64_t> asked;
  Trainer trainer(
      *model, config,
      [&](std::uint64_t step, std::uint64_t micro) {
        asked.push_back(10 * step + micro);
        return batches.at(step, micro);
      },
      lesson.workers);
  for (std::size_t step = 0; step < 3; ++step)
    EXPECT_EQ(trainer.step().loss, lesson.trainer.step().loss) << step;
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 10, 20}));
  EXPECT_EQ(weights_of(*model), weights_of(*lesson.model));
}

/// After the first step AdamW's first moments are (1 - beta1) times the gradient it was given:
/// clipped or not, that is read off.
double first_moment_norm(double clip, double& reported) {
  TrainConfig config = short_training();
  config.clip = clip;
  Lesson lesson(tiny_config("rope"), config);
  reported = lesson.trainer.step().gradient_norm;
  return global_norm(lesson.trainer.optimizer().first_moments()) / (1 - config.beta1);
}

REAL_TEST(Trainer, clips_a_gradient_that_is_too_long) {
  double norm = 0, reported = 0;
  // 100 roundings: each gradient is multiplied once by the factor and once by 1 - beta1.
  EXPECT_NEAR(first_moment_norm(0, norm) / norm, 1, 100 * kEpsilon);
  for (const double share : {0.01, 0.5, 0.99}) {
    EXPECT_NEAR(first_moment_norm(share * norm, reported) / norm, share, 100 * kEpsilon);
    EXPECT_EQ(reported, norm) << "the norm is that before clipping";
  }
  for (const double share : {1.01, 100.0})
    EXPECT_NEAR(first_moment_norm(share * norm, reported) / norm, 1, 100 * kEpsilon);
}

REAL_TEST(Trainer, averages_what_it_accumulates) {
  for (const SchemeEntry& entry : schemes()) {
    Lesson one(tiny_config(entry.name), short_training());
    Lesson two(tiny_config(entry.name), short_training());
    const Batch a = random_batch(4, 1), b = random_batch(4, 2);
    const Batch both{stacked(a.inputs, b.inputs), stacked(a.targets, b.targets)};
    const StepReport whole = one.trainer.step({both}), parts = two.trainer.step({a, b});
    // The same 56 losses and their gradients, summed in another order.
    EXPECT_NEAR(parts.loss / whole.loss, 1, 100 * kEpsilon) << entry.name;
    EXPECT_NEAR(parts.gradient_norm / whole.gradient_norm, 1, 100 * kEpsilon) << entry.name;
    EXPECT_EQ(two.trainer.steps_done(), 1U);
    // Moments are proportional to the gradient. (Weights are not: Adam divides rounding by
    // rounding where a gradient is zero, as a key's bias has it in all schemes but rotations.)
    const std::vector<Tensor>& wanted = one.trainer.optimizer().first_moments();
    const std::vector<Tensor>& got = two.trainer.optimizer().first_moments();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_LE(largest_difference(got[i], wanted[i]) / global_norm(wanted), 100 * kEpsilon)
          << entry.name << ", " << one.model->parameters()[i].path;
  }
}

REAL_TEST(Trainer, draws_as_many_batches_as_it_accumulates) {
  TrainConfig config = short_training();
  config.accumulate = 3;
  GptConfig dropping = tiny_config("learned");
  dropping.dropout = 0.2;
  Lesson drawn(dropping, config), given(dropping, config);
  const RandomBatches batches(random_text(200), 5, 8, config.seed);
  for (std::uint64_t step = 0; step < 3; ++step) {
    const StepReport got = drawn.trainer.step();
    const StepReport wanted =
        given.trainer.step({batches.at(step, 0), batches.at(step, 1), batches.at(step, 2)});
    EXPECT_EQ(got.loss, wanted.loss) << step;
    EXPECT_EQ(got.gradient_norm, wanted.gradient_norm) << step;
  }
}

REAL_TEST(Trainer, ends_in_the_same_bits_on_any_number_of_threads) {
  for (const SchemeEntry& entry : schemes()) {
    GptConfig config = tiny_config(entry.name);
    config.dropout = 0.2;
    TrainConfig training = short_training();
    training.accumulate = 2;
    const auto trained = [&](std::size_t threads) {
      Lesson lesson(config, training, threads);
      for (int step = 0; step < 3; ++step) lesson.trainer.step();
      return weights_of(*lesson.model);
    };
    const std::vector<Tensor> one = trained(1);
    for (const std::size_t threads : {2U, 3U, 8U}) {
      const std::vector<Tensor> many = trained(threads);
      for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_TRUE(identical(many[i], one[i])) << entry.name << ", " << threads << " threads";
    }
  }
}

REAL_TEST(Trainer, learns_a_text_that_repeats_itself) {
  for (const SchemeEntry& entry : schemes()) {
    TrainConfig config = short_training();
    config.steps = 60;
    config.lr = 0.02;
    Encoded text;
    for (std::int32_t i = 0; i < 220; ++i) text.push_back(i % 11);
    const auto model = initial_model(tiny_config(entry.name));
    Workers workers(2);
    Trainer trainer(*model, config, text, workers);
    const double first = trainer.step().loss;
    StepReport last{};
    while (trainer.steps_done() < config.steps) last = trainer.step();
    EXPECT_NEAR(first, std::log(11), 0.1) << entry.name << ": it begins knowing nothing";
    // Each character follows from the one before: a model that learns at all gets there.
    EXPECT_LT(last.loss, 0.3) << entry.name;
  }
}

REAL_TEST(Trainer, refuses_options_that_make_no_sense) {
  using Change = std::function<void(TrainConfig&)>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<Change, std::string>> cases{
      {[](TrainConfig& c) { c.batch = 0; }, "--batch"},
      {[](TrainConfig& c) { c.accumulate = 0; }, "--accumulate must be at least 1, got 0"},
      {[](TrainConfig& c) { c.eval_every = 0; }, "--eval-every must be at least 1, got 0"},
      {[](TrainConfig& c) { c.lr = 0; }, "--lr must be above 0 and finite, got 0"},
      {[nan](TrainConfig& c) { c.lr = nan; }, "--lr must be above 0 and finite, got nan"},
      {[](TrainConfig& c) { c.min_lr = -1; }, "--min-lr must be from 0 to --lr"},
      {[](TrainConfig& c) { c.min_lr = 1; }, "got 1"},
      {[](TrainConfig& c) { c.weight_decay = -1; }, "--weight-decay must be at least 0, got -1"},
      {[](TrainConfig& c) { c.beta1 = 1; }, "--beta1 must be from 0 to below 1, got 1"},
      {[](TrainConfig& c) { c.beta1 = -0.1; }, "--beta1"},
      {[](TrainConfig& c) { c.beta2 = 1; }, "--beta2 must be from 0 to below 1, got 1"},
      {[nan](TrainConfig& c) { c.beta2 = nan; }, "--beta2"},
      {[](TrainConfig& c) { c.clip = -1; }, "--clip must be at least 0, got -1"}};
  EXPECT_NO_THROW(TrainConfig{}.validate());
  for (const auto& [change, part] : cases) {
    TrainConfig config = short_training();
    change(config);
    expect_error<ConfigError>([&] { config.validate(); }, {part});
    expect_error<ConfigError>([&] { Lesson(tiny_config("none"), config); }, {"--"});
  }
  const auto model = initial_model(tiny_config("none"));
  Workers workers(1);
  expect_error<DataError>([&] { Trainer(*model, short_training(), random_text(8), workers); },
                          {"8 tokens", "at least 9"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
