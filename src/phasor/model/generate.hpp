// Text from a trained model, one token after the other.
#pragma once
#include "phasor/model/gpt.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct Sampling {
  /// 0: always the likeliest token (greedy). Otherwise logits are divided by it before softmax.
  double temperature = 1;
  /// Only the k likeliest tokens may be drawn; 0: all of them.
  std::size_t top_k = 0;
  std::uint64_t seed = 1;
  /// Let positions run on past the training context. Otherwise, whenever the context is full, its
  /// second half becomes the start of a new one, so that positions stay where they were trained.
  bool beyond_context = false;
};

/// Continues `prompt` (at least one token) by `count` tokens, with a key/value cache. `on_token`,
/// if given, sees each as it is drawn and stops the run by returning false.
/// Throws DataError on an empty prompt, PositionError when beyond_context meets a table's end.
std::vector<std::int32_t> generate(const Gpt& model, const std::vector<std::int32_t>& prompt,
                                   std::size_t count, const Sampling& sampling,
                                   const std::function<bool(std::int32_t)>& on_token = {});

/// One token drawn from logits [V].
std::int32_t sample(const Real* logits, std::size_t vocabulary, const Sampling& sampling, Rng& rng);

}  // namespace phasor::inline PHASOR_PRECISION
