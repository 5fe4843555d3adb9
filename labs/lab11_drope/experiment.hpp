// The experiment of Lab 11: three ways of training, two of which share their first part.
#pragma once
#include <filesystem>
#include <functional>
#include <vector>

#include "labs/lab11_drope/exercise.hpp"
#include "phasor/data/corpus.hpp"
#include "phasor/train/run.hpp"

namespace phasor::lab11 {

/// The learner's function, or another one.
using Dropping = std::function<RotatedModel(const RotatedModel& trained, std::size_t trained_length,
                                            std::size_t steps, const Training& train)>;

struct Plan {
  RunConfig config;  // of all ways: model, schedule over all steps, drop_positions_at
  std::vector<std::uint64_t> seeds;
  std::filesystem::path folder;
};

/// Trains, for every seed, with RoPE up to the drop; from there on with RoPE, and with what `drop`
/// makes of it; and never with any. Each part has a warm-up and a cosine of its own and starts with
/// fresh moments of AdamW, for all ways alike, and all see the same batches: nothing differs but
/// the rotation. Runs go
/// to folder/TEXT-rope-SEED, TEXT-dropped-SEED and TEXT-none-SEED.
void train_ways(const Plan& plan, const Corpus& corpus, const Dropping& drop);

/// The model's weights and its rotation at positions 0 to T - 1, T its context. Rows of zero pairs
/// when it has no rotation.
RotatedModel plain_values(const Gpt& model);

/// The other way round: a model of this configuration with these weights, its RoPE in place when
/// cosine and sine are RoPE's, and dropped when they are 1 and 0. Throws ConfigError when they are
/// neither, or when the weights are not those of the configuration.
std::unique_ptr<Gpt> model_of(const RotatedModel& values, GptConfig config);

}  // namespace phasor::lab11
