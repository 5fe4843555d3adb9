// A few steps of training at the longer length, for RoPE as it was trained and slowed.
#pragma once
#include "labs/common/training.hpp"
#include "phasor/course/length/measures.hpp"

namespace phasor::lab10 {

/// How often the windows of this training are as long as those before.
inline constexpr std::size_t kTunedMultiple = 4;

/// A scaling before and after.
struct Tuned {
  std::string kind;      // none, pi, ntk, yarn
  Spread before, after;  // loss in windows of kTunedMultiple T characters
};

/// Trains every run of `rope` for `steps` steps on windows of kTunedMultiple T characters, once
/// with each scaling by kTunedMultiple. They go beside those runs as TEXT-tuned_KIND-SEED.
/// `tokens`: of the validation text, for the losses.
std::vector<Tuned> tune(const Outcome& rope, const Corpus& corpus, std::size_t steps,
                        std::size_t tokens);

}  // namespace phasor::lab10
