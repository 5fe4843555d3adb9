// The figures of Lab 12. Captions and alt texts are computed from the numbers drawn.
#pragma once
#include "labs/lab12_bake_off/experiment.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor::lab12 {

/// The learner's scheme when content says nothing: the logits of the last of a row of tokens by
/// distance, and their softmax.   Both [heads, distances]
Figure mine_figure(const xt::xarray<double>& score, const xt::xarray<double>& weights,
                   const std::string& idea);

/// Scheme by length: loss against that of `none`, and the share of right answers of each task.
Figure bake_off_figure(const std::vector<Row>& rows, const Corpus& corpus, std::size_t context);

}  // namespace phasor::lab12
