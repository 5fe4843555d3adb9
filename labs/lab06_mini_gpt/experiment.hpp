// The experiment of Lab 06: the same Mini-GPT with one positional scheme after the other.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "phasor/data/corpus.hpp"
#include "phasor/train/run.hpp"

namespace phasor::lab06 {

/// What is trained, and how long.
struct Plan {
  std::vector<std::string> schemes{"none", "sinusoidal", "learned", "rope", "alibi"};
  std::vector<std::uint64_t> seeds;
  TrainConfig train;
  GptConfig model;
  std::filesystem::path folder;  // runs go to folder/TEXT-SCHEME-SEED
};

/// One scheme on one text: what its runs recorded, seed by seed.
struct Outcome {
  std::string scheme;
  std::vector<RunReport> runs;
  std::vector<std::filesystem::path> folders;
  std::vector<Evaluation> evaluations;  // on validation text, after training
};

/// Trains every scheme with every seed on `corpus`, with a progress bar for each.
std::vector<Outcome> train_all(const Plan& plan, const Corpus& corpus);

/// Mean, least and most over seeds.
struct Spread {
  double mean, least, most;
};
Spread spread_of(const std::vector<double>& values);

/// Validation loss after training, over seeds.
Spread final_loss(const Outcome& outcome);

/// Nats per character for a reader that knows how often each character occurs and nothing of what
/// stands before it: the entropy of the single characters.
double character_entropy(const std::string& text);

}  // namespace phasor::lab06
