// Windows of a text, cut for training and for evaluation.
#pragma once
#include <cstdint>

#include "phasor/data/tokenizer.hpp"
#include "phasor/tensor/tensor.hpp"

namespace phasor {

/// A text in two parts. Validation is the end of the text, so that no window spans both.
struct Split {
  Encoded train, validation;
};

/// The last `validation_fraction` of the tokens (rounded down) becomes validation.
/// Throws ConfigError unless 0 <= validation_fraction < 1.
Split split(const Encoded& tokens, double validation_fraction = 0.1);

/// B windows of T tokens. targets(b, t) is the token after inputs(b, t).   Both [B, T].
struct Batch {
  Indices inputs, targets;
};

/// Windows at random starts, uniform over all tokens.size() - T of them, with replacement.
/// A batch depends on (seed, step, micro) alone, so a resumed run needs no saved state.
class RandomBatches {
 public:
  /// Throws ConfigError for an empty batch or context, DataError when the text is shorter than
  /// context + 1 tokens (one more than a window: the last target).
  RandomBatches(Encoded tokens, std::size_t batch, std::size_t context, std::uint64_t seed);

  /// `micro` numbers the parts of one step when gradients are accumulated over several batches.
  Batch at(std::uint64_t step, std::uint64_t micro = 0) const;

 private:
  Encoded tokens_;
  std::size_t batch_, context_;
  std::uint64_t seed_;
};

/// The windows 0..T-1, T..2T-1, ... in order: every token is a target once, except the first
/// token and a rest of fewer than T at the end. The last batch may hold fewer windows.
/// With a stride below T windows overlap: the n-th begins at token n * stride.
class SequentialWindows {
 public:
  /// Throws as RandomBatches does. `stride` 0 stands for T.
  SequentialWindows(Encoded tokens, std::size_t batch, std::size_t context, std::size_t stride = 0);

  /// Number of windows: (tokens - 1 - T) / stride + 1.
  std::size_t windows() const;
  /// Number of batches: windows / B, rounded up.
  std::size_t count() const;
  /// Batch number `index`. Throws DataError unless index < count().
  Batch at(std::size_t index) const;

 private:
  Encoded tokens_;
  std::size_t batch_, context_, stride_;
};

}  // namespace phasor
