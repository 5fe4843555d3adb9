// The claims of lab 08 that are measured on models, and what its figures show of linear attention.
#pragma once
#include <vector>

#include "phasor/analysis/linear_attention.hpp"
#include "phasor/course/claim.hpp"

namespace phasor {

std::vector<Claim> rope_model_claims();

using FeatureMap = xt::xarray<double> (*)(const xt::xarray<double>& rows);

/// The sums of causal linear attention over 512 positions of random content, standard deviation 2.
struct TurnedSums {
  KernelSums plain;   ///< of features as they are
  KernelSums turned;  ///< of features that were rotated to the positions first, first + 1, ...
};
TurnedSums turned_sums(const Rotation& rotate, FeatureMap features, std::size_t width,
                       double first = 0);

}  // namespace phasor
