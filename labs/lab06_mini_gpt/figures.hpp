// The figures of Lab 06.
#pragma once
#include <optional>

#include "labs/lab06_mini_gpt/experiment.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor::lab06 {

/// Training and validation loss against steps, one line a scheme, a band over seeds, and the
/// entropy of the text as the floor where it is known.
Figure loss_figure(const std::vector<Outcome>& outcomes, const Corpus& corpus);

/// Validation loss against the position in the window after training.
Figure position_figure(const std::vector<Outcome>& outcomes, const Corpus& corpus);

}  // namespace phasor::lab06
