// The loss of a batch and its gradient, computed in shards on several threads.
#pragma once
#include "phasor/core/workers.hpp"
#include "phasor/data/batches.hpp"
#include "phasor/model/gpt.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// A batch is cut into at most this many shards, whatever the number of threads. Each runs forward
/// and backward on its own with single-threaded BLAS, and their gradients are added in order: the
/// sum is the same bit for bit on 1, 2 or 8 threads.
inline constexpr std::size_t kShards = 8;

/// Names the random numbers of one pass: dropout draws Rng(seed, "dropout", step, micro and shard),
/// random positions, which all windows of a pass share, Rng(seed, "positions", step, micro).
struct PassName {
  std::uint64_t seed, step, micro;
};

struct LossAndGradient {
  double loss = 0;                // nats per token, mean over the batch
  std::vector<Tensor> gradients;  // in the order of model.parameters()
};

/// Mean cross entropy of `batch` and its gradient. Parameters the loss does not reach get zeros.
/// Targets that are kIgnore count for nothing; every row needs one that counts, else DataError.
LossAndGradient loss_and_gradient(const Gpt& model, const Batch& batch, const PassName& name,
                                  Workers& workers);

/// The square root of the sum of the squares of all elements.
double global_norm(const std::vector<Tensor>& gradients);

}  // namespace phasor::inline PHASOR_PRECISION
