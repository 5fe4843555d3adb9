#include "phasor/train/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "phasor/tensor/kernels/softmax.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Windows in one pass of a thread: enough rows to keep the matrix products busy.
constexpr std::size_t kTokensInPass = 1024;

/// Sum of the losses at each place over the windows of a batch, [T].
std::vector<double> summed_losses(const Gpt& model, const Batch& batch) {
  const NoGrad no_grad;
  const Tensor log_weights = kernel::log_softmax(model(batch.inputs).value());
  const std::size_t T = batch.inputs.shape()[1], vocabulary = model.config().vocabulary;
  std::vector<double> sums(T, 0.0);
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    const auto target = static_cast<std::size_t>(batch.targets.data()[i]);
    sums[i % T] -= static_cast<double>(log_weights.data()[i * vocabulary + target]);
  }
  return sums;
}

}  // namespace

double Evaluation::perplexity() const { return std::exp(loss); }

Evaluation evaluate(const Gpt& model, const Encoded& tokens, const EvaluateOptions& options,
                    Workers& workers) {
  const std::size_t T = options.context;
  const SequentialWindows windows(
      tokens, std::max<std::size_t>(1, kTokensInPass / std::max<std::size_t>(1, T)), T);
  const std::size_t wanted = options.token_limit / kTokensInPass + 1;
  const std::size_t passes =
      options.token_limit == 0 ? windows.count() : std::min(windows.count(), wanted);

  // In rounds, so that progress can be told from the calling thread; summed in order.
  Evaluation result;
  result.by_position.assign(T, 0.0);
  constexpr std::size_t kRound = 16;
  for (std::size_t first = 0; first < passes; first += kRound) {
    const std::size_t count = std::min(kRound, passes - first);
    std::vector<std::vector<double>> sums(count);
    std::vector<std::size_t> counted(count);
    workers.run(count, [&](std::size_t i) {
      const Batch batch = windows.at((first + i) * windows.count() / passes);
      sums[i] = summed_losses(model, batch);
      counted[i] = batch.targets.size();
    });
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t t = 0; t < T; ++t) result.by_position[t] += sums[i][t];
      result.tokens += counted[i];
    }
    if (options.on_progress)
      options.on_progress(static_cast<double>(first + count) / static_cast<double>(passes));
  }
  result.loss = std::accumulate(result.by_position.begin(), result.by_position.end(), 0.0) /
                static_cast<double>(result.tokens);
  for (double& sum : result.by_position)
    sum *= static_cast<double>(T) / static_cast<double>(result.tokens);
  return result;
}

}  // namespace phasor::inline PHASOR_PRECISION
