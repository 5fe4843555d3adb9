// The first ten training losses against the PyTorch twin: initial weights, forward, backward,
// clipping, AdamW and the schedule all have to agree.
#include "phasor/train/checkpoint.hpp"
#include "tests/golden_files.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr bool kIsDouble = sizeof(Real) == 8;
// Required: 1e-5 in float (the twin's own float and double losses differ by 1.4e-7) and 1e-10 in
// double (rounding grows over ten steps of Adam, which divides by small second moments).
constexpr double kTolerance = kIsDouble ? 1e-10 : 1e-5;

TrainConfig recipe(double clip) {
  const nlohmann::json json = golden_json("training/recipe.json");
  TrainConfig config;
  config.batch = json.at("batch");
  config.steps = json.at("steps");
  config.lr = json.at("learning_rate");
  config.min_lr = json.at("min_learning_rate");
  config.warmup = json.at("warmup");
  config.beta1 = json.at("beta1");
  config.beta2 = json.at("beta2");
  config.weight_decay = json.at("weight_decay");
  config.clip = clip;
  return config;
}

/// Batch number `step` of [steps, B, T].
Indices at_step(const Indices& all, std::size_t step) {
  const std::size_t B = all.shape()[1], T = all.shape()[2];
  Indices result = Indices::from_shape({B, T});
  std::copy_n(all.data() + step * B * T, B * T, result.data());
  return result;
}

/// The folders of training/: a scheme with a head of its own, or with the embedding as the head.
constexpr const char* kTrained[] = {"none",    "sinusoidal", "sinusoidal_tied",
                                    "learned", "rope",       "alibi"};

struct Course {
  std::vector<StepReport> steps;
  Tensor final_logits;
};

Course train_twin(const std::string& scheme, double clip) {
  const std::string folder = "training/" + scheme + "/";
  Rng rng(1);
  Gpt model(config_from_json(golden_json(folder + "config.json")), rng);
  load_weights(golden_path(folder + "weights.safetensors"), model);
  const Indices inputs = read_integers(golden_path("training/inputs.npy"));
  const Indices targets = read_integers(golden_path("training/targets.npy"));
  Workers workers(2);
  // The batches are given, so the text behind the trainer's own is never drawn from.
  Trainer trainer(model, recipe(clip), Encoded(100, 0), workers);
  Course course;
  for (std::size_t step = 0; step < 10; ++step)
    course.steps.push_back(trainer.step({{at_step(inputs, step), at_step(targets, step)}}));
  course.final_logits = model(at_step(inputs, 0)).value();
  return course;
}

void expect_losses(const Course& course, const xt::xarray<double>& wanted,
                   const std::string& scheme) {
  double largest = 0;
  for (std::size_t step = 0; step < 10; ++step) {
    const double off = std::abs(course.steps[step].loss - wanted(step)) / wanted(step);
    EXPECT_LE(off, kTolerance) << scheme << ", step " << step << ": " << course.steps[step].loss
                               << " against " << wanted(step);
    largest = std::max(largest, off);
  }
  std::printf("  %-15s largest relative difference of ten losses: %.1e\n", scheme.c_str(), largest);
}

REAL_TEST(FirstLosses, agree_with_pytorch_for_every_scheme) {
  const xt::xarray<double> rates = golden_doubles("training/learning_rates.npy");
  for (const std::string scheme : kTrained) {
    const std::string folder = "training/" + scheme + "/";
    const Course course = train_twin(scheme, 1.0);
    expect_losses(course, golden_doubles(folder + "losses_f64.npy"), scheme);
    const xt::xarray<double> norms = golden_doubles(folder + "gradient_norms_f64.npy");
    for (std::size_t step = 0; step < 10; ++step) {
      EXPECT_NEAR(course.steps[step].learning_rate, rates(step), 1e-15);
      // A norm is a sum over all gradients and moves with the weights; float keeps four digits.
      EXPECT_NEAR(course.steps[step].gradient_norm / norms(step), 1, kIsDouble ? 1e-8 : 1e-3);
    }
  }
}

// Clipping at 1 scales every step of the twin; at 2 it leaves some alone, which is the other
// branch.
REAL_TEST(FirstLosses, agree_where_only_some_steps_are_clipped) {
  for (const std::string scheme : {"learned", "rope"}) {
    const Course course = train_twin(scheme, 2.0);
    expect_losses(course, golden_doubles("training/" + scheme + "/losses_clip2_f64.npy"), scheme);
  }
}

REAL_TEST(FirstLosses, end_in_the_same_logits) {
  if (!kIsDouble) GTEST_SKIP() << "in float, key biases walk at random (their gradient is zero)";
  for (const std::string scheme : kTrained)
    // Ten steps of Adam amplify rounding where gradients are near zero; the twin's own bound.
    EXPECT_LE(relative_difference(train_twin(scheme, 1.0).final_logits,
                                  golden_doubles("training/" + scheme + "/final_logits.npy")),
              1e-8)
        << scheme;
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
