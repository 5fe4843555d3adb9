// Training that went wrong: it stops, says where, and spoils nothing.
#include <limits>

#include "phasor/train/diagnose.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"
#include "tests/train/tiny_run.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
constexpr Real kHuge = std::numeric_limits<Real>::max() / 2;
/// Weights of this size are finite, their products are not.
constexpr double kExplosiveRate = sizeof(Real) == 4 ? 1e30 : 1e300;

Tensor& value_of(const Gpt& model, const std::string& path) {
  for (NamedParameter parameter : model.parameters())
    if (parameter.path == path) return parameter.value.mutable_value();
  throw std::runtime_error("no parameter " + path);
}

Batch random_batch(std::uint64_t seed = 1) {
  return {random_tokens(4, 7, 11, seed), random_tokens(4, 7, 11, seed + 1000)};
}

Encoded random_text() {
  Rng rng(5, "text");
  Encoded text;
  for (std::size_t i = 0; i < 200; ++i) text.push_back(static_cast<std::int32_t>(rng.below(11)));
  return text;
}

std::unique_ptr<Gpt> untied_model() {
  GptConfig config = tiny_config("none");
  config.tied = false;
  return lively_model(config);
}

REAL_TEST(Diagnose, finds_nothing_where_all_is_well) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    Workers workers(1);
    const LossAndGradient good = loss_and_gradient(*model, random_batch(), {1, 0, 0}, workers);
    EXPECT_EQ(first_bad_tensor(*model, random_batch(), good.gradients), "") << entry.name;
    EXPECT_EQ(first_bad_tensor(*model, random_batch(), {}), "") << entry.name;
  }
}

REAL_TEST(Diagnose, names_any_poisoned_parameter) {
  for (const SchemeEntry& entry : schemes())
    for (const Real poison : {kNaN, kInfinity, -kInfinity}) {
      const auto model = lively_model(tiny_config(entry.name));
      for (const NamedParameter& parameter : model->parameters()) {
        Tensor& value = value_of(*model, parameter.path);
        const Real before = std::exchange(value.data()[value.size() - 1], poison);
        EXPECT_EQ(first_bad_tensor(*model, random_batch(), {}), "the parameter " + parameter.path);
        value.data()[value.size() - 1] = before;
      }
    }
}

REAL_TEST(Diagnose, names_the_first_of_two) {
  const auto model = untied_model();
  value_of(*model, "norm.weight")(0) = kNaN;
  value_of(*model, "blocks.1.mlp.up.bias")(3) = kNaN;
  EXPECT_EQ(first_bad_tensor(*model, random_batch(), {}), "the parameter blocks.1.mlp.up.bias");
}

REAL_TEST(Diagnose, names_the_operation_that_overflowed) {
  const auto model = untied_model();
  value_of(*model, "blocks.1.mlp.up.weight").fill(kHuge);
  EXPECT_EQ(first_bad_tensor(*model, random_batch(), {}),
            "the result of 'linear' after blocks.1.mlp.up.bias, shape [4, 7, 24]");
}

REAL_TEST(Diagnose, names_a_gradient_when_nothing_else_is_bad) {
  const auto model = untied_model();
  std::vector<Tensor> gradients;
  for (const NamedParameter& parameter : model->parameters())
    gradients.push_back(zeros(parameter.value.shape()));
  gradients[3].data()[0] = kInfinity;
  gradients[5].data()[0] = kNaN;
  EXPECT_EQ(first_bad_tensor(*model, random_batch(), gradients),
            "the gradient of " + model->parameters()[3].path);
}

/// A trainer's step fails, names `part`, and leaves weights, moments and count as they were.
void expect_failed_step(Gpt& model, const std::vector<Batch>& batches, const std::string& part) {
  Workers workers(2);
  Trainer trainer(model, {.batch = 4, .steps = 20}, random_text(), workers);
  std::vector<Tensor> before;
  for (const NamedParameter& parameter : model.parameters())
    before.push_back(parameter.value.value());
  expect_error<TrainingError>([&] { trainer.step(batches); },
                              {"step 1: the loss is", part, "--lr", "--clip"});
  EXPECT_EQ(trainer.steps_done(), 0U);
  EXPECT_EQ(global_norm(trainer.optimizer().first_moments()), 0);
  const auto after = model.parameters();
  for (std::size_t i = 0; i < before.size(); ++i)
    for (std::size_t j = 0; j < before[i].size(); ++j) {
      const Real a = after[i].value.value().data()[j], b = before[i].data()[j];
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << after[i].path;
    }
}

REAL_TEST(NonFinite, a_poisoned_weight_stops_the_step_that_meets_it) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    value_of(*model, "blocks.1.attention.value.weight")(2, 3) = kNaN;
    expect_failed_step(*model, {random_batch()},
                       "the first tensor that went bad is the parameter "
                       "blocks.1.attention.value.weight;");
  }
}

/// The second of two accumulated passes overflows, the first does not: the sum of their gradients
/// is bad as well, but that is not where it began.
REAL_TEST(NonFinite, is_found_in_whichever_pass_it_began) {
  GptConfig config = tiny_config("none");
  config.tied = false;
  config.embedding_scale = EmbeddingScale::on;
  const auto model = lively_model(config);
  Batch first = random_batch(1), second = random_batch(2);
  for (auto& token : first.inputs) token = std::min<std::int64_t>(token, 9);
  second.inputs(1, 2) = 10;
  value_of(*model, "token_embedding.weight")(10, 3) = kHuge;  // times sqrt(12): too much
  expect_failed_step(*model, {first, second},
                     "the first tensor that went bad is the result of 'scale' after "
                     "token_embedding.weight, shape [4, 7, 12];");
}

REAL_TEST(NonFinite, a_run_that_explodes_keeps_what_was_saved_last) {
  const auto folder = scratch_folder();
  for (const SchemeEntry& entry : schemes()) {
    RunConfig config = tiny_run(entry.name);
    config.train.warmup = 0;
    config.train.lr = kExplosiveRate;
    config.train.min_lr = 0;
    const auto exploding = folder / (entry.name + "-exploding"), good = folder / entry.name;
    expect_error<TrainingError>([&] { run_in(exploding, config); },
                                {"the loss is", "the first tensor that went bad is", "--lr"});
    die_in_first_step(good, config);  // saved at step 0, like the other
    EXPECT_EQ(files_in(exploding), files_in(good)) << entry.name;
  }
}

/// Each step is saved here, and the first makes weights that no evaluation survives.
REAL_TEST(NonFinite, weights_that_went_bad_are_not_saved) {
  const auto folder = scratch_folder();
  for (const bool ends : {false, true}) {
    RunConfig config = tiny_run("rope");
    config.train.warmup = 0;
    config.train.lr = kExplosiveRate;
    config.train.min_lr = 0;
    config.train.eval_every = 1;
    if (ends) config.train.steps = 1;
    const auto run = folder / (ends ? "one" : "many");
    expect_error<TrainingError>(
        [&] { run_in(run, config); },
        {"step 1: the validation loss is nan", "went bad is the result of", "--lr"});
    const std::vector<MetricsRecord> records = read_metrics(run / "metrics.jsonl", 1000);
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].step, 0U);
    const auto loaded = load_run(run);
    for (const NamedParameter& parameter : loaded.model->parameters())
      for (const Real value : parameter.value.value())
        EXPECT_LE(std::abs(value), 1) << parameter.path;
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
