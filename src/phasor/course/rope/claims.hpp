// The claims of lab 08 that are measured on models, and what its figures show of linear attention.
#pragma once
#include <vector>

#include "phasor/analysis/linear_attention.hpp"
#include "phasor/analysis/spread.hpp"
#include "phasor/course/claim.hpp"

namespace phasor {

std::vector<Claim> rope_model_claims();

/// Validation losses that the runs of a scheme recorded, in nats per character, over seeds.
struct RecordedLosses {
  Spread on_the_way;  ///< mean over the records of a run: what a model pays while it learns
  Spread at_the_end;  ///< of the last record
};

/// What is measured of the need to learn offsets: how much rotated scores of one content vary at
/// equal offsets before any training, and losses in training.
struct OffsetsLearned {
  double structure;  ///< as a share of the largest score
  RecordedLosses rotated, sines, table;
  std::size_t seeds, steps;
};
/// Holds when offsets are given from the start and the rotation pays less on the way than both
/// added encodings, by more than the spread over seeds. Where they end does not tell: what had to
/// be learned may have been learned by then.
Finding judged(const OffsetsLearned& found);

using FeatureMap = xt::xarray<double> (*)(const xt::xarray<double>& rows);

/// The sums of causal linear attention over 512 positions of random content, standard deviation 2.
struct TurnedSums {
  KernelSums plain;   ///< of features as they are
  KernelSums turned;  ///< of features that were rotated to the positions first, first + 1, ...
};
TurnedSums turned_sums(const Rotation& rotate, FeatureMap features, std::size_t width,
                       double first = 0);

}  // namespace phasor
