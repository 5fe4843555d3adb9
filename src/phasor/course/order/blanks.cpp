#include "phasor/course/order/blanks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "phasor/core/error.hpp"
#include "phasor/ops/cross_entropy.hpp"
#include "phasor/tensor/gemm.hpp"
#include "phasor/tensor/kernels/softmax.hpp"

namespace phasor {
namespace {

std::int64_t blank_of(const CharTokenizer& tokenizer) { return tokenizer.encode(kBlank).front(); }

/// Windows of the text, one batch after the other, with the blanks that belong to them.
Batch evaluation_batch(const SequentialWindows& windows, std::size_t index, std::int64_t blank) {
  Rng rng(1, "blanks to evaluate", index);
  return with_blanks(windows.at(index), blank, rng);
}

}  // namespace

CharTokenizer tokenizer_with_blank(const std::string& text) {
  check<DataError>(text.find(kBlank) == text.npos,
                   "the text has the character {}, which stands for a blank; replace it", kBlank);
  return CharTokenizer::from_text(text + kBlank);
}

Batch with_blanks(Batch windows, std::int64_t blank, Rng& rng) {
  const std::size_t B = windows.inputs.shape(0), T = windows.inputs.shape(1);
  const auto count = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::lround(kBlankShare * static_cast<double>(T))));
  windows.targets.fill(kIgnore);
  std::vector<std::size_t> places(T);
  for (std::size_t b = 0; b < B; ++b) {
    std::iota(places.begin(), places.end(), 0);
    for (std::size_t i = 0; i < count; ++i) {  // the first few of a shuffle
      std::swap(places[i], places[i + rng.below(T - i)]);
      windows.targets(b, places[i]) = windows.inputs(b, places[i]);
      windows.inputs(b, places[i]) = blank;
    }
  }
  return windows;
}

double blank_loss(const Run& run, const Gpt& model, const Encoded& validation, std::size_t tokens) {
  constexpr std::size_t kWindows = 16;
  const std::size_t context = model.config().context;
  const SequentialWindows windows(validation, kWindows, context);
  const std::size_t batches =
      std::clamp<std::size_t>(tokens / (kWindows * context), 1, windows.count());
  std::vector<double> losses(batches);
  Workers workers(0);
  use_single_threaded_blas();
  workers.run(batches, [&](std::size_t i) {
    const NoGrad no_grad;
    const std::size_t index = i * windows.count() / batches;
    const Batch batch = evaluation_batch(windows, index, blank_of(run.tokenizer));
    losses[i] = static_cast<double>(cross_entropy(model(batch.inputs), batch.targets).value()());
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(batches);
}

double blank_difference(const Run& run, const Encoded& validation) {
  const NoGrad no_grad;
  const SequentialWindows windows(validation, 1, run.config.model.context);
  const Batch batch = evaluation_batch(windows, 0, blank_of(run.tokenizer));
  const Tensor log_weights = kernel::log_softmax((*run.model)(batch.inputs).value());
  double difference = 0;
  std::optional<std::size_t> first;
  for (std::size_t t = 0; t < batch.targets.size(); ++t) {
    if (batch.targets.data()[t] == kIgnore) continue;
    if (!first) first = t;
    for (std::size_t v = 0; v < run.config.model.vocabulary; ++v)
      difference =
          std::max(difference,
                   std::abs(static_cast<double>(log_weights(0, t, v) - log_weights(0, *first, v))));
  }
  return difference;
}

void train_on_blanks(RunConfig config, const Corpus& corpus, const std::filesystem::path& folder,
                     std::size_t threads,
                     const std::function<void(std::size_t step, double loss)>& on_step) {
  const CharTokenizer tokenizer = tokenizer_with_blank(corpus.text);
  describe_text(config, corpus.text, tokenizer);
  config.model.causal = false;
  config.train.validate();
  use_single_threaded_blas();
  Rng rng(config.train.seed, "weights");
  Gpt model(config.model, rng);
  const RandomBatches windows(split(tokenizer.encode(corpus.text)).train, config.train.batch,
                              config.model.context, config.train.seed);
  const auto batches = [&](std::uint64_t step, std::uint64_t micro) {
    Rng places(config.train.seed, "blanks", step, micro);
    return with_blanks(windows.at(step, micro), blank_of(tokenizer), places);
  };
  Workers workers(threads);
  Trainer trainer(model, config.train, batches, workers);
  while (trainer.steps_done() < config.train.steps) {
    const StepReport report = trainer.step();
    if (on_step) on_step(trainer.steps_done(), report.loss);
  }
  save_run(folder, config, model);
}

}  // namespace phasor
