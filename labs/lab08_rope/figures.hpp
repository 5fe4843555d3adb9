// The figures of Lab 08. Captions and alt texts are computed from the numbers drawn.
#pragma once
#include "labs/common/training.hpp"
#include "labs/lab08_rope/proof.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor::lab08 {

/// How far each pair turns in some steps, and where a pair points at some positions.
Figure angles_figure(const Rope& rope);
/// The matrix of one position in both pairings.
Figure matrices_figure(const Rope& rope);

/// Scores of every position with every position.
struct StripeMaps {
  xt::xarray<double> rotated_ones, rotated_content;  ///< turned: of ones, and of random content
  xt::xarray<double> added_alone, added_content;     ///< sinusoids: alone, and added to content
};
StripeMaps stripe_maps(const Written& written);
/// The four maps, and how much each varies along its diagonals.
Figure stripes_figure(const StripeMaps& maps);

/// Denominators of linear attention: turned ones as shares of those that were not turned.
Figure normaliser_figure(const Rope& rope);

/// Training and validation loss against steps, with the floor and a band over seeds.
Figure loss_figure(const std::vector<Outcome>& outcomes, const Plan& plan, const Corpus& corpus);

}  // namespace phasor::lab08
