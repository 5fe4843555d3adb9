// The figures of Lab 10. Captions and alt texts are computed from the numbers drawn.
#pragma once
#include "labs/lab10_longer/experiment.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor::lab10 {

/// The learner's frequencies of every pair, and what share of the original each is left with: in
/// the head of `rotation`, and in one of kWideHead columns, where YaRN's ramp can be seen.
inline constexpr std::size_t kWideHead = 64;
Figure frequencies_figure(double s, const TrainedRotation& rotation);
/// Loss against length, a panel a group.
Figure length_figure(const Study& study, const Corpus& corpus);
/// Loss against length of RoPE, plain and slowed.
Figure scalings_figure(const Study& study, const Corpus& corpus);
/// Windows that slide against windows that do not.
Figure windows_figure(const Study& study, const Corpus& corpus);
/// Loss against the place in the longest windows.
Figure position_figure(const Study& study, const Corpus& corpus);

}  // namespace phasor::lab10
