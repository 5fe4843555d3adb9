// The first layer of a trained model with an additive encoding, taken apart: what its attention
// scores are made of, and how far they depend on distance alone.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "phasor/analysis/decomposition.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/train/run.hpp"

namespace phasor {

/// What the queries and keys of the first layer are projected from, in two parts, and the matrices
/// of one head.
///
/// Attention does not read token + position itself but its layer norm, (z - mean) / sigma * g + b.
/// With the sigma of the sum this is linear in z, so it falls into a part of the token and one of
/// the position; what belongs to neither, the biases of the norm and of the projections, is counted
/// with the token. A column of ones carries the biases of the projections:
/// (x, 1) (Wq; bq) = x Wq + bq.
struct FirstLayerInput {
  xt::xarray<double> x, p;                           ///< [T, C + 1], of tokens and of positions
  std::vector<xt::xarray<double>> wq = {}, wk = {};  ///< [C + 1, D] for every head
};

/// The parts for `tokens` at positions 0, 1, ...; `encoding` is what the model adds, [T, C]. Throws
/// ConfigError unless the model has layer norms.
FirstLayerInput first_layer_input(const Gpt& model, const std::vector<std::int64_t>& tokens,
                                  const xt::xarray<double>& encoding);

/// decompose of analysis/decomposition.hpp, or what a learner wrote in its place.
using Decomposer =
    std::function<ScoreTerms(const xt::xarray<double>& x, const xt::xarray<double>& p,
                             const xt::xarray<double>& wq, const xt::xarray<double>& wk)>;

/// All heads of the first layer on one text.
struct FirstLayer {
  std::vector<ScoreTerms> heads = {};
  /// What the model itself computed, [T, T] a head; NaN where the key is hidden.
  std::vector<xt::xarray<double>> logits = {}, weights = {};
  std::vector<std::string> tokens = {};  ///< as they stand on axes
  std::string text = {};                 ///< what they are in a row

  /// The largest |sum of the terms - logit| over all heads and visible keys, as a share of the
  /// largest |logit|.
  double error() const;
};
FirstLayer take_apart(const Run& run, const std::vector<std::int64_t>& tokens,
                      const Encoder& encode = sinusoid, const Decomposer& decomposer = decompose);
/// The same for a text in the model's characters.
FirstLayer take_apart(const Run& run, const std::string& text, const Encoder& encode = sinusoid,
                      const Decomposer& decomposer = decompose);

/// What the trained matrices make of positions alone: (p_i Wq)(p_j Wk)^T / sqrt(D) of a head, [T,
/// T], p the encoding as the norm leaves it, with the norm's sigma set to its mean over `tokens`.
xt::xarray<double> position_scores(const Gpt& model, std::size_t head,
                                   const std::vector<std::int64_t>& tokens,
                                   const xt::xarray<double>& encoding);

/// Means over windows of validation text, for every head.
struct HeadParts {
  std::array<double, 4> shares{};  ///< of the four terms, in the order of kTermNames; they sum to 1
  double positions_by_distance = 0;  ///< distance_share of position_scores
  double scores_by_distance = 0;     ///< distance_share of the whole score
  double rank = 0;                   ///< directions that position_scores has, see numerical_rank
};
std::vector<HeadParts> head_parts(const Run& run, const Encoded& validation, std::size_t windows,
                                  const Encoder& encode = sinusoid);

/// How many independent rows a matrix has: singular values above 1e-9 of the largest.
/// matrix: [M, N].
std::size_t numerical_rank(const xt::xarray<double>& matrix);

/// The mean loss of windows of half the context that stand at positions `first`, first + 1, ...
double half_window_loss(const Run& run, const Encoded& validation, double first);

/// The first of the runs toy-sinusoidal-SEED that Lab 07 trains, in the folder of its results; none
/// when there is none.
std::optional<std::filesystem::path> decomposed_run(const std::filesystem::path& lab07);

}  // namespace phasor
