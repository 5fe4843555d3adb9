// Attention scores of an additive encoding, taken apart into what content and position give.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// The four terms of (x_i + p_i) Wq Wk^T (x_j + p_j)^T / sqrt(D); the first word is the query's
/// part, the second the key's. Each is [T, T], a row for every query.
struct ScoreTerms {
  xt::xarray<double> content_content, content_position, position_content, position_position;

  /// What attention is given: the sum of the four.
  xt::xarray<double> sum() const;
  /// The four in the order above.
  std::array<const xt::xarray<double>*, 4> all() const;
};
inline constexpr std::array<std::string_view, 4> kTermNames = {
    "content-content", "content-position", "position-content", "position-position"};

/// x: [T, C], what a token gives; p: [T, C], what its position gives; wq, wk: [C, D], so that the
/// query of row i is (x_i + p_i) wq. Throws ShapeError when the shapes do not fit.
ScoreTerms decompose(const xt::xarray<double>& x, const xt::xarray<double>& p,
                     const xt::xarray<double>& wq, const xt::xarray<double>& wk);

/// Each row less its mean over the keys that its query sees, those up to itself if `causal`; 0
/// where a key is hidden. Softmax sees no more than this.   map: [T, T]. Throws ShapeError.
xt::xarray<double> centred_scores(const xt::xarray<double>& map, bool causal);

/// What part of the differences between the scores of a row each term makes; the four add up to 1.
///
/// Every row is first centred (centred_scores). Then, summed over all rows,
/// share(term) = sum term * total / sum total^2, total the sum of the terms: what the term
/// contributes to the variance. A term that works against the others has a negative share.
/// NaN when all scores of every row are the same.
std::array<double, 4> shares(const ScoreTerms& terms, bool causal);

/// How far scores depend on the distance alone: 1 - (variance within the diagonals) / (variance of
/// all), over the keys that a query sees. 1: the score is a function of i - j; 0: the distance says
/// nothing. NaN when all scores are the same.   map: [T, T]. Throws ShapeError.
double distance_share(const xt::xarray<double>& map, bool causal);

}  // namespace phasor
