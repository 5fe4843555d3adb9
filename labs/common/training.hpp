// What the labs that train have in common: many small models, each with several seeds, and the
// spread between the seeds.
#pragma once
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "labs/common/options.hpp"
#include "phasor/analysis/spread.hpp"
#include "phasor/data/corpus.hpp"
#include "phasor/figure/figure.hpp"
#include "phasor/train/run.hpp"

namespace phasor {

/// What is trained, and how long.
struct Plan {
  std::vector<std::string> schemes;
  std::vector<std::uint64_t> seeds;
  TrainConfig train;
  GptConfig model;
  std::filesystem::path folder;  // runs go to folder/TEXT-SCHEME-SEED
  /// Turns one of `schemes` into a model. Without it the name is that of a positional scheme.
  std::function<void(RunConfig& config, const std::string& name)> configure = {};
  /// Several runs at a time, each on one core, instead of one after the other on all: quicker for
  /// small models. The numbers are the same.
  bool side_by_side = false;
  /// Validation characters on which each model is evaluated after training; 0: not at all.
  std::size_t evaluation_tokens = 40000;
};

/// One scheme on one text: what its runs recorded, seed by seed.
struct Outcome {
  std::string scheme;
  std::vector<RunReport> runs;
  std::vector<std::filesystem::path> folders;
  std::vector<Evaluation> evaluations;  // on validation text, after training
};

/// Trains every scheme with every seed on `corpus`, with a progress bar for each run, or one for
/// all when they go side by side. Runs of the same names with other seeds, left from another time,
/// are removed: whoever looks for the runs of a scheme finds those of one plan.
std::vector<Outcome> train_all(const Plan& plan, const Corpus& corpus);

/// Validation loss after training, over seeds.
Spread final_loss(const Outcome& outcome);

/// The text that a lab trains on: the toy language drawn with --seed, or the file of --text, under
/// its whole path, so that whoever loads one of its runs finds the text again.
Corpus corpus_of(const LabOptions& options);

/// The name of a text in the names of runs and figures: "kjv" of kjv, "book" of my/book.txt.
std::string short_name(const Corpus& corpus);

/// Mean and band of `count` values over `seeds` runs; value(run, i) is NaN where there is none.
Series over_seeds(const std::string& label, std::size_t seeds, std::size_t count,
                  const std::function<double(std::size_t run, std::size_t i)>& value);

/// The entropy of the text as a line under the losses, where it is known.
std::vector<Reference> entropy_line(const Corpus& corpus);

/// Training and validation loss against steps on one scale: for every outcome its mean, a band over
/// seeds, and the entropy of the text.
std::vector<Panel> loss_panels(const std::vector<Outcome>& outcomes, const Corpus& corpus);

/// What a caption says about the bands.
std::string seeds_text(std::size_t seeds);

}  // namespace phasor
