// The claims of lab 08 that are measured on models, and what its figures show of linear attention.
#pragma once
#include <vector>

#include "phasor/analysis/linear_attention.hpp"
#include "phasor/analysis/spread.hpp"
#include "phasor/course/claim.hpp"

namespace phasor {

std::vector<Claim> rope_model_claims();

/// On how many characters from the beginning of the validation text the claims measure a loss.
inline constexpr std::size_t kLossTokens = 16000;

/// What is measured of the need to learn offsets: how much rotated scores of one content vary at
/// equal offsets before any training, and losses after it.
struct OffsetsLearned {
  double structure;              ///< as a share of the largest score
  Spread rotated, sines, table;  ///< nats per character, over seeds
  std::size_t seeds, steps;
};
/// Holds when offsets are given from the start and the rotation ends below both added encodings by
/// more than the spread over seeds.
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
