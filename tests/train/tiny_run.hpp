// A run that takes milliseconds: 700 characters, 7 steps, saved at 0, 3, 6 and 7.
#pragma once
#include <nlohmann/json.hpp>

#include "phasor/position/schemes.hpp"
#include "phasor/train/run.hpp"
#include "tests/train/scratch.hpp"

namespace phasor::inline PHASOR_PRECISION {

inline constexpr std::size_t kSteps = 7, kEvery = 3;

/// Dropout and accumulation are on: both draw random numbers that a resumed run must draw again.
inline RunConfig tiny_run(const std::string& scheme) {
  RunConfig config;
  config.text = "tiny.txt";
  config.model.width = 12;
  config.model.heads = 3;
  config.model.layers = 1;
  config.model.context = 7;
  config.model.mlp_ratio = 2;
  config.model.dropout = 0.1;
  config.model.scheme = scheme;
  config.train.batch = 5;
  config.train.accumulate = 2;
  config.train.steps = kSteps;
  config.train.warmup = 2;
  config.train.eval_every = kEvery;
  return config;
}

inline Corpus tiny_corpus(std::uint64_t seed = 1) {
  Rng rng(seed, "text");
  std::string text;
  while (text.size() < 700) text += "abcdefgh \n"[rng.below(10)];
  return {"tiny", text, {}};
}

/// Says yes after `steps` steps.
inline std::function<bool()> stop_after(std::size_t steps) {
  return [steps, done = std::size_t{0}]() mutable { return ++done == steps; };
}

inline RunReport run_in(const std::filesystem::path& folder, const RunConfig& config,
                        IfRunExists if_exists = IfRunExists::refuse,
                        std::function<bool()> should_stop = {}, std::size_t threads = 2) {
  return train_run(config, tiny_corpus(),
                   {.folder = folder,
                    .if_exists = if_exists,
                    .threads = threads,
                    .should_stop = std::move(should_stop)});
}

/// The folder as a run leaves it that dies in its first step.
inline void die_in_first_step(const std::filesystem::path& folder, const RunConfig& config) {
  struct Death {};
  try {
    train_run(config, tiny_corpus(),
              {.folder = folder, .threads = 2, .on_step = [](auto, auto) { throw Death(); }});
  } catch (const Death&) {
  }
}

}  // namespace phasor::inline PHASOR_PRECISION
