// The head of the Mini-GPT: weights of its own, or tied, which means those of the token embedding.
#pragma once
#include <string>
#include <vector>

#include "labs/common/lab.hpp"
#include "labs/common/training.hpp"

namespace phasor::lab06 {

/// Small models of one kind with one kind of head, over seeds.
struct HeadRuns {
  Outcome outcome;
  /// Cosine of the stream behind the blocks with the stream before them, mean over tokens: how much
  /// of what was put in is still there.
  Spread kept = {};
};

/// What stands in the stream before the first block, and what becomes of it with either head.
struct HeadRow {
  std::string label;
  HeadRuns own, tied;
};

/// Trains small models with either head: without positions, with the sinusoidal encoding, and
/// without positions but with the tokens scaled by sqrt(width) as for that encoding. Several seeds
/// of each; the runs are called toy-head-own-NAME-SEED and toy-head-tied-NAME-SEED.
/// `steps` of every training; 0: enough to compare, more with --full.
std::vector<HeadRow> train_heads(const Lab& lab, const Corpus& toy, std::size_t steps);

/// A row for each of `rows`: losses with the least and the most of the seeds, and what is kept.
std::string heads_table(const std::vector<HeadRow>& rows);

/// What the losses say of the two heads, then where the token in the stream comes in.
std::vector<std::string> reading_of_heads(const std::vector<HeadRow>& rows);

/// Validation loss against steps, a panel for each head.
Figure heads_figure(const std::vector<HeadRow>& rows, const Corpus& toy);

}  // namespace phasor::lab06
