#include "phasor/train/gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "phasor/ops/ops.hpp"
#include "phasor/position/random_positions.hpp"
#include "phasor/tensor/kernels/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Rows first .. last - 1 of [B, T].
Indices rows(const Indices& x, std::size_t first, std::size_t last) {
  const std::size_t width = x.shape()[1];
  Indices result = Indices::from_shape({last - first, width});
  std::copy(x.data() + first * width, x.data() + last * width, result.data());
  return result;
}

/// The sum of what the shards hold for one parameter, in the order of the shards; zeros for none.
Tensor summed(const std::vector<Gradients>& shards, const Var& parameter) {
  std::optional<Tensor> sum;
  for (const Gradients& shard : shards)
    if (const Tensor* gradient = shard.find(parameter)) {
      if (sum)
        kernel::add_to(*sum, *gradient);
      else
        sum = *gradient;
    }
  return sum ? std::move(*sum) : zeros(parameter.shape());
}

}  // namespace

LossAndGradient loss_and_gradient(const Gpt& model, const Batch& batch, const PassName& name,
                                  Workers& workers) {
  const std::size_t B = batch.inputs.shape()[0], shards = std::min(B, kShards);
  std::vector<Gradients> gradients(shards);
  std::vector<double> losses(shards);
  Positions positions;
  if (const std::size_t limit = model.config().random_positions; limit > 0) {
    Rng rng(name.seed, "positions", name.step, name.micro);
    positions = random_positions(batch.inputs.shape()[1], limit, rng);
  }
  workers.run(shards, [&](std::size_t shard) {
    const std::size_t first = shard * B / shards, last = (shard + 1) * B / shards;
    Rng dropout_rng(name.seed, "dropout", name.step, name.micro * kShards + shard);
    const bool drops = model.config().dropout > 0;
    const Var logits =
        model(rows(batch.inputs, first, last),
              {.positions = positions, .dropout_rng = drops ? &dropout_rng : nullptr});
    const double share = static_cast<double>(last - first) / static_cast<double>(B);
    const Var loss =
        scale(cross_entropy(logits, rows(batch.targets, first, last)), static_cast<Real>(share));
    losses[shard] = static_cast<double>(loss.value().data()[0]);
    backward(loss, gradients[shard]);
  });

  LossAndGradient result;
  for (const double loss : losses) result.loss += loss;
  const std::vector<NamedParameter> parameters = model.parameters();
  result.gradients.resize(parameters.size());
  workers.run(parameters.size(),
              [&](std::size_t i) { result.gradients[i] = summed(gradients, parameters[i].value); });
  return result;
}

double global_norm(const std::vector<Tensor>& gradients) {
  // Several sums side by side: one alone would wait for itself at every element.
  std::array<double, 8> squares{};
  for (const Tensor& gradient : gradients)
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const auto value = static_cast<double>(gradient.data()[i]);
      squares[i % squares.size()] += value * value;
    }
  return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

}  // namespace phasor::inline PHASOR_PRECISION
