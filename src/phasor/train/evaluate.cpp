#include "phasor/train/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/softmax.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Windows in one pass of a thread: enough rows to keep the matrix products busy.
constexpr std::size_t kTokensInPass = 1024;

/// Losses summed at each place of a window, and how many there were.
struct Sums {
  std::vector<double> losses;
  std::vector<std::size_t> counts;
};

/// Of the windows of a batch, the first of which is number `window` of the text. With a stride all
/// windows of the text but the first leave out the places that the window before has counted.
Sums summed_losses(const Gpt& model, const Batch& batch, std::size_t window, std::size_t stride) {
  const NoGrad no_grad;
  const Tensor log_weights = kernel::log_softmax(model(batch.inputs).value());
  const std::size_t T = batch.inputs.shape()[1], vocabulary = model.config().vocabulary;
  Sums sums{std::vector<double>(T, 0.0), std::vector<std::size_t>(T, 0)};
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    const bool is_first = window + i / T == 0;
    if (!is_first && i % T < T - stride) continue;
    const auto target = static_cast<std::size_t>(batch.targets.data()[i]);
    sums.losses[i % T] -= static_cast<double>(log_weights.data()[i * vocabulary + target]);
    ++sums.counts[i % T];
  }
  return sums;
}

}  // namespace

double Evaluation::perplexity() const { return std::exp(loss); }

Evaluation evaluate(const Gpt& model, const Encoded& tokens, const EvaluateOptions& options,
                    Workers& workers) {
  const std::size_t T = options.context, stride = options.stride == 0 ? T : options.stride;
  check<ConfigError>(stride <= T, "--stride must be at most the window of {}, got {}", T, stride);
  const std::size_t in_pass = std::max<std::size_t>(1, kTokensInPass / std::max<std::size_t>(1, T));
  const SequentialWindows windows(tokens, in_pass, T, stride);
  const std::size_t wanted = options.token_limit / (in_pass * std::max<std::size_t>(1, stride)) + 1;
  const std::size_t passes =
      options.token_limit == 0 ? windows.count() : std::min(windows.count(), wanted);

  // In rounds, so that progress can be told from the calling thread; summed in order.
  Evaluation result;
  result.by_position.assign(T, 0.0);
  std::vector<std::size_t> counts(T, 0);
  constexpr std::size_t kRound = 16;
  for (std::size_t first = 0; first < passes; first += kRound) {
    const std::size_t count = std::min(kRound, passes - first);
    std::vector<Sums> sums(count);
    workers.run(count, [&](std::size_t i) {
      const std::size_t batch = (first + i) * windows.count() / passes;
      sums[i] = summed_losses(model, windows.at(batch), batch * in_pass, stride);
    });
    for (const Sums& part : sums)
      for (std::size_t t = 0; t < T; ++t) {
        result.by_position[t] += part.losses[t];
        counts[t] += part.counts[t];
      }
    if (options.on_progress)
      options.on_progress(static_cast<double>(first + count) / static_cast<double>(passes));
  }
  result.tokens = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  result.loss = std::accumulate(result.by_position.begin(), result.by_position.end(), 0.0) /
                static_cast<double>(result.tokens);
  for (std::size_t t = 0; t < T; ++t) result.by_position[t] /= static_cast<double>(counts[t]);
  return result;
}

}  // namespace phasor::inline PHASOR_PRECISION
