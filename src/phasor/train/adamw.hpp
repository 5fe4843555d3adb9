// The optimizer.
#pragma once
#include "phasor/core/workers.hpp"
#include "phasor/nn/module.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct AdamwOptions {
  double beta1 = 0.9, beta2 = 0.99, epsilon = 1e-8;
  /// Only for parameters with two axes or more: biases and norms are not decayed.
  double weight_decay = 0.1;
};

/// With gradient g, learning rate r and step t = 1, 2, ...:
///   m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g^2,
///   w = w - r weight_decay w - r (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon).
/// Loshchilov and Hutter (2017), arXiv 1711.05101, algorithm 2.
class Adamw {
 public:
  Adamw(std::vector<NamedParameter> parameters, AdamwOptions options);

  /// One update. gradients[i] belongs to parameter i and is multiplied by `factor` (for clipping).
  void update(const std::vector<Tensor>& gradients, Real factor, double learning_rate,
              Workers& workers);

  std::size_t steps() const { return steps_; }
  void set_steps(std::size_t steps) { steps_ = steps; }
  /// First and second moments, in the order of the parameters. Written by a resumed run.
  std::vector<Tensor>& first_moments() { return first_; }
  std::vector<Tensor>& second_moments() { return second_; }

 private:
  std::vector<NamedParameter> parameters_;
  AdamwOptions options_;
  std::vector<Tensor> first_, second_;
  std::size_t steps_ = 0;
};

}  // namespace phasor::inline PHASOR_PRECISION
