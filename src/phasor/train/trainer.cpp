#include "phasor/train/trainer.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/elementwise.hpp"
#include "phasor/train/diagnose.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// The batches of a step are in memory together.
constexpr std::size_t kMostPasses = 65536;

}  // namespace

void TrainConfig::validate() const {
  const auto at_least = [](bool ok, const char* option, const char* least, auto value) {
    check<ConfigError>(ok, "--{} must be {}, got {}", option, least, value);
  };
  at_least(batch > 0, "batch", "at least 1", batch);
  at_least(accumulate > 0, "accumulate", "at least 1", accumulate);
  check<ConfigError>(accumulate <= kMostPasses, "--accumulate must be at most {}, got {}",
                     kMostPasses, accumulate);
  at_least(eval_every > 0, "eval-every", "at least 1", eval_every);
  at_least(lr > 0 && std::isfinite(lr), "lr", "above 0 and finite", lr);
  check<ConfigError>(min_lr >= 0 && min_lr <= lr,
                     "--min-lr must be from 0 to --lr, which is {:g}, got {:g}; set both", lr,
                     min_lr);
  at_least(weight_decay >= 0, "weight-decay", "at least 0", weight_decay);
  at_least(beta1 >= 0 && beta1 < 1, "beta1", "from 0 to below 1", beta1);
  at_least(beta2 >= 0 && beta2 < 1, "beta2", "from 0 to below 1", beta2);
  at_least(clip >= 0, "clip", "at least 0", clip);
  check<ConfigError>(drop_positions_at == 0 || drop_positions_at < steps,
                     "--drop-positions-at must be below the {} --steps, got {}", steps,
                     drop_positions_at);
}

Trainer::Trainer(Gpt& model, const TrainConfig& config, Encoded train, Workers& workers)
    : Trainer(
          model, config,
          [batches =
               RandomBatches(std::move(train), config.batch, model.config().context, config.seed)](
              std::uint64_t step, std::uint64_t micro) { return batches.at(step, micro); },
          workers) {}

Trainer::Trainer(Gpt& model, const TrainConfig& config, BatchSource batches, Workers& workers)
    : model_(model),
      config_(config),
      schedule_{config.lr, config.min_lr, config.warmup, config.steps},
      batches_(std::move(batches)),
      optimizer_(
          model.parameters(),
          {.beta1 = config.beta1, .beta2 = config.beta2, .weight_decay = config.weight_decay}),
      workers_(workers) {
  config.validate();
  check<ConfigError>(config.drop_positions_at == 0 || model.can_drop_positions(),
                     "--drop-positions-at takes a rotation without parameters away, {} is none; "
                     "choose one, see phasor schemes",
                     model.config().scheme);
}

void Trainer::drop_positions_when_due() {
  if (config_.drop_positions_at > 0 && steps_done() >= config_.drop_positions_at &&
      !model_.has_dropped_positions())
    model_.drop_positions();
}

StepReport Trainer::step() {
  std::vector<Batch> batches;
  for (std::size_t micro = 0; micro < config_.accumulate; ++micro)
    batches.push_back(batches_(steps_done(), micro));
  return step(batches);
}

StepReport Trainer::step(const std::vector<Batch>& batches) {
  LossAndGradient total;
  for (std::size_t micro = 0; micro < batches.size(); ++micro) {
    LossAndGradient part =
        loss_and_gradient(model_, batches[micro], {config_.seed, steps_done(), micro}, workers_);
    total.loss += part.loss / static_cast<double>(batches.size());
    if (micro == 0)
      total.gradients = std::move(part.gradients);
    else
      for (std::size_t i = 0; i < part.gradients.size(); ++i)
        kernel::add_to(total.gradients[i], part.gradients[i]);
  }
  const double average = 1 / static_cast<double>(batches.size());
  const double norm = average * global_norm(total.gradients);
  if (!std::isfinite(total.loss) || !std::isfinite(norm)) {
    std::string culprit;
    for (std::size_t i = 0; i < batches.size() && culprit.empty(); ++i)
      culprit = first_bad_tensor(model_, batches[i], {});
    if (culprit.empty()) culprit = first_bad_tensor(model_, batches.front(), total.gradients);
    throw TrainingError(fmt::format(
        "step {}: the loss is {}, the gradient norm {}; the first tensor that went bad is {}; "
        "lower --lr (now {:g}), lengthen --warmup or set --clip 1",
        // abs: a NaN's sign says nothing.
        steps_done() + 1, std::abs(total.loss), std::abs(norm),
        culprit.empty() ? "the norm's sum" : culprit, config_.lr));
  }
  const double clipping = config_.clip > 0 && norm > config_.clip ? config_.clip / norm : 1;
  const double rate = schedule_.at(steps_done());
  optimizer_.update(total.gradients, static_cast<Real>(average * clipping), rate, workers_);
  model_.constrain();
  drop_positions_when_due();
  return {total.loss, norm, rate};
}

}  // namespace phasor::inline PHASOR_PRECISION
