// How well a model predicts a text.
#pragma once
#include "phasor/core/workers.hpp"
#include "phasor/data/batches.hpp"
#include "phasor/model/gpt.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct Evaluation {
  double loss = 0;                  // nats per token
  std::vector<double> by_position;  // nats per token at each place of a window, [T]; NaN where none
  std::size_t tokens = 0;           // how many were predicted
  double perplexity() const;        // exp(loss)
};

struct EvaluateOptions {
  std::size_t context;
  /// Evaluate about this many tokens, in windows spread evenly over the text; 0: all of it.
  std::size_t token_limit = 0;
  /// Tokens from the start of one window to the next, at most `context`; 0: windows do not overlap.
  /// All windows but the first then count their last `stride` places only, which have seen at least
  /// context - stride tokens before them.
  std::size_t stride = 0;
  /// Called with the share that is done, from 0 to 1.
  std::function<void(double)> on_progress = {};
};

/// Mean loss over windows of `context` tokens: the model sees nothing before a window. Throws
/// ConfigError on a context of 0, DataError when the text is shorter than a window, PositionError
/// when the scheme has no encoding that far.
Evaluation evaluate(const Gpt& model, const Encoded& tokens, const EvaluateOptions& options,
                    Workers& workers);

}  // namespace phasor::inline PHASOR_PRECISION
