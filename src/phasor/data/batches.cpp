#include "phasor/data/batches.hpp"

#include <algorithm>
#include <string_view>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

void check_sizes(const Encoded& tokens, std::size_t batch, std::size_t context,
                 std::string_view part) {
  check<ConfigError>(batch > 0, "a batch of 0 windows holds nothing; choose --batch 1 or more");
  check<ConfigError>(context > 0,
                     "a context of 0 tokens holds nothing; choose --context 1 or more");
  check<DataError>(tokens.size() > context,
                   "the {} part of the text has {} tokens, a context of {} needs at least {}; "
                   "choose a shorter --context or a longer text",
                   part, tokens.size(), context, context + 1);
}

Batch empty_batch(std::size_t batch, std::size_t context) {
  const Shape shape = {batch, context};
  return {Indices::from_shape(shape), Indices::from_shape(shape)};
}

/// Fills row `row` with the window that begins at `start`.
void copy_window(const Encoded& tokens, std::size_t start, std::size_t row, Batch& batch) {
  const std::size_t context = batch.inputs.shape()[1];
  const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(start);
  std::copy_n(first, context, batch.inputs.data() + row * context);
  std::copy_n(first + 1, context, batch.targets.data() + row * context);
}

}  // namespace

Split split(const Encoded& tokens, double validation_fraction) {
  check<ConfigError>(validation_fraction >= 0 && validation_fraction < 1,
                     "the validation fraction must be in [0, 1), got {}; choose for example 0.1",
                     validation_fraction);
  const auto held_out =
      static_cast<std::ptrdiff_t>(static_cast<double>(tokens.size()) * validation_fraction);
  const auto border = tokens.end() - held_out;
  return {Encoded(tokens.begin(), border), Encoded(border, tokens.end())};
}

RandomBatches::RandomBatches(Encoded tokens, std::size_t batch, std::size_t context,
                             std::uint64_t seed)
    : tokens_(std::move(tokens)), batch_(batch), context_(context), seed_(seed) {
  check_sizes(tokens_, batch_, context_, "training");
}

Batch RandomBatches::at(std::uint64_t step, std::uint64_t micro) const {
  Rng rng(seed_, "batch", step, micro);
  Batch batch = empty_batch(batch_, context_);
  for (std::size_t row = 0; row < batch_; ++row)
    copy_window(tokens_, rng.below(tokens_.size() - context_), row, batch);
  return batch;
}

SequentialWindows::SequentialWindows(Encoded tokens, std::size_t batch, std::size_t context,
                                     std::size_t stride)
    : tokens_(std::move(tokens)),
      batch_(batch),
      context_(context),
      stride_(stride == 0 ? context : stride) {
  check_sizes(tokens_, batch_, context_, "validation");
}

std::size_t SequentialWindows::windows() const {
  return (tokens_.size() - 1 - context_) / stride_ + 1;
}

std::size_t SequentialWindows::count() const { return (windows() + batch_ - 1) / batch_; }

Batch SequentialWindows::at(std::size_t index) const {
  check<DataError>(index < count(), "there is no batch {}, the text has {}; stay below count()",
                   index, count());
  const std::size_t first = index * batch_;
  const std::size_t rows = std::min(batch_, windows() - first);
  Batch batch = empty_batch(rows, context_);
  for (std::size_t row = 0; row < rows; ++row)
    copy_window(tokens_, (first + row) * stride_, row, batch);
  return batch;
}

}  // namespace phasor
