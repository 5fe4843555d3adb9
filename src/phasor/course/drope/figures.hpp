// The figure of RoPE as training wheels.
#pragma once
#include "phasor/course/drope/measures.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor {

/// D2-F4: the whole training, the steps around the drop, and longer windows.
/// `temperatures`: the dropped model with logits scaled by some factors, with_temperature; the
/// first by 0.
Figure drope_figure(const DropeStudy& study, const std::vector<LengthCurve>& temperatures);

/// The factors c of the temperature that figure and lab try.
inline constexpr double kTemperatures[] = {0, 0.1, 0.2, 0.4};

}  // namespace phasor
