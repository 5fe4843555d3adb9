#include "phasor/train/exact_match.hpp"

#include <algorithm>
#include <numeric>

#include "phasor/core/error.hpp"
#include "phasor/ops/cross_entropy.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kExamplesInPass = 32;

std::size_t right_answers(const Gpt& model, const std::vector<TaskExample>& examples,
                          const CharTokenizer& tokenizer) {
  std::size_t width = 0;
  for (const TaskExample& example : examples)
    width = std::max(width, example.prompt.size() + example.answer.size() - 1);
  const Batch batch = batch_of(examples, tokenizer, width);
  const NoGrad no_grad;
  const Tensor logits = model(batch.inputs).value();
  const std::size_t vocabulary = model.config().vocabulary;
  std::size_t right = 0;
  for (std::size_t row = 0; row < examples.size(); ++row) {
    bool all = true;
    for (std::size_t t = 0; t < width && all; ++t) {
      if (batch.targets(row, t) == kIgnore) continue;
      const Real* first = logits.data() + (row * width + t) * vocabulary;
      all = std::max_element(first, first + vocabulary) - first == batch.targets(row, t);
    }
    right += all ? 1 : 0;
  }
  return right;
}

}  // namespace

double exact_match(const Gpt& model, const std::vector<TaskExample>& examples,
                   const CharTokenizer& tokenizer, Workers& workers) {
  check<DataError>(!examples.empty(), "there is no example to answer; draw at least one");
  const std::size_t passes = (examples.size() + kExamplesInPass - 1) / kExamplesInPass;
  std::vector<std::size_t> right(passes);
  workers.run(passes, [&](std::size_t pass) {
    const auto first = examples.begin() + static_cast<std::ptrdiff_t>(pass * kExamplesInPass);
    const auto count = std::min<std::ptrdiff_t>(kExamplesInPass, examples.end() - first);
    right[pass] = right_answers(model, {first, first + count}, tokenizer);
  });
  return static_cast<double>(std::accumulate(right.begin(), right.end(), std::size_t{0})) /
         static_cast<double>(examples.size());
}

}  // namespace phasor::inline PHASOR_PRECISION
