#include "phasor/train/gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
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

/// Targets that count, each for as much as any other, in whatever shard it is.
std::size_t counted(const Indices& targets) {
  return targets.size() -
         static_cast<std::size_t>(std::count(targets.begin(), targets.end(), kIgnore));
}

/// Adds up the gradients of shards in the order of their numbers, whoever is done first, and each
/// as soon as those before it are in: it is then still in the cache, and its memory free for
/// others.
class OrderedSum {
 public:
  OrderedSum(const Gpt& model, std::size_t shards)
      : parameters_(model.parameters()), sums_(parameters_.size()), waiting_(shards) {}

  void put(std::size_t shard, Gradients gradients) {
    const std::lock_guard lock(mutex_);
    waiting_[shard] = std::move(gradients);
    for (; next_ < waiting_.size() && waiting_[next_]; ++next_) {
      for (std::size_t i = 0; i < sums_.size(); ++i)
        if (const Tensor* gradient = waiting_[next_]->find(parameters_[i].value)) {
          if (sums_[i])
            kernel::add_to(*sums_[i], *gradient);
          else
            sums_[i] = *gradient;
        }
      waiting_[next_]->clear();
    }
  }

  /// In the order of the parameters; zeros where no shard had any.
  std::vector<Tensor> take() {
    std::vector<Tensor> result;
    for (std::size_t i = 0; i < sums_.size(); ++i)
      result.push_back(sums_[i] ? std::move(*sums_[i]) : zeros(parameters_[i].value.shape()));
    return result;
  }

 private:
  std::vector<NamedParameter> parameters_;
  std::vector<std::optional<Tensor>> sums_;
  std::vector<std::optional<Gradients>> waiting_;
  std::size_t next_ = 0;
  std::mutex mutex_;
};

}  // namespace

LossAndGradient loss_and_gradient(const Gpt& model, const Batch& batch, const PassName& name,
                                  Workers& workers) {
  const std::size_t B = batch.inputs.shape()[0], shards = std::min(B, kShards);
  OrderedSum sum(model, shards);
  std::vector<double> losses(shards);
  const auto in_all = static_cast<double>(counted(batch.targets));
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
    const Indices targets = rows(batch.targets, first, last);
    const double share = static_cast<double>(counted(targets)) / in_all;
    const Var loss = scale(cross_entropy(logits, targets), static_cast<Real>(share));
    losses[shard] = static_cast<double>(loss.value().data()[0]);
    Gradients gradients;
    backward(loss, gradients);
    sum.put(shard, std::move(gradients));
  });

  LossAndGradient result{0, sum.take()};
  for (const double loss : losses) result.loss += loss;
  return result;
}

double global_norm(const std::vector<Tensor>& gradients) {
  // Several sums side by side: one alone would wait for itself at every element.
  std::array<double, 8> squares{};
  const auto add = [&squares](std::size_t place, Real value) {
    squares[place] += static_cast<double>(value) * static_cast<double>(value);
  };
  for (const Tensor& gradient : gradients) {
    const Real* g = gradient.data();
    std::size_t i = 0;
    for (; i + squares.size() <= gradient.size(); i += squares.size())
      for (std::size_t place = 0; place < squares.size(); ++place) add(place, g[i + place]);
    for (; i < gradient.size(); ++i) add(0, g[i]);
  }
  return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

}  // namespace phasor::inline PHASOR_PRECISION
