// Training, step by step, in memory.
#pragma once
#include "phasor/train/adamw.hpp"
#include "phasor/train/gradient.hpp"
#include "phasor/train/schedule.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct TrainConfig {
  std::size_t batch = 32;      // windows in a pass
  std::size_t accumulate = 1;  // passes in a step, their gradients averaged
  std::size_t steps = 1000;
  double lr = 2e-3, min_lr = 2e-4;
  std::size_t warmup = 50;  // steps
  double weight_decay = 0.1, beta1 = 0.9, beta2 = 0.99;
  double clip = 1;  // largest global norm of the gradient; 0: never clipped
  std::uint64_t seed = 1;
  std::size_t drop_positions_at = 0;  // step after which the rotation is dropped; 0: never
  std::size_t eval_every = 100;       // steps between evaluations
  std::size_t eval_tokens = 20000;    // validation tokens in an evaluation; 0: all

  /// Throws ConfigError.
  void validate() const;
};

struct StepReport {
  double loss, gradient_norm, learning_rate;
};

/// Where the batches of a training come from: the part `micro` of a step. What it gives may depend
/// on the two alone, so that a resumed run needs no saved state.
using BatchSource = std::function<Batch(std::uint64_t step, std::uint64_t micro)>;

class Trainer {
 public:
  /// `train`: the tokens batches are drawn from. Throws ConfigError, DataError.
  Trainer(Gpt& model, const TrainConfig& config, Encoded train, Workers& workers);
  /// The same for batches of another kind, such as examples of a task. Throws ConfigError.
  Trainer(Gpt& model, const TrainConfig& config, BatchSource batches, Workers& workers);

  /// One optimizer step on the batches that belong to it.
  StepReport step();
  /// One optimizer step on these batches. Throws TrainingError, which names the first tensor that
  /// went bad, when loss or gradient is not finite; the weights are then as before the step.
  StepReport step(const std::vector<Batch>& batches);

  /// Takes the positions away if so many steps have been done: after a step, and after a
  /// resumption.
  void drop_positions_when_due();

  std::size_t steps_done() const { return optimizer_.steps(); }
  Adamw& optimizer() { return optimizer_; }
  Gpt& model() { return model_; }

 private:
  Gpt& model_;
  TrainConfig config_;
  Schedule schedule_;
  BatchSource batches_;
  Adamw optimizer_;
  Workers& workers_;
};

}  // namespace phasor::inline PHASOR_PRECISION
