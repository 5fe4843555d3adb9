// The verdicts on dropping RoPE, from what lab 11 trained.
#pragma once
#include "phasor/course/drope/measures.hpp"

namespace phasor {

/// A rise by half or more of the loss, in every run, is called a spike.
inline constexpr double kSpike = 0.5;
/// Healing within this share of the steps that came before the drop is called quick.
inline constexpr double kQuick = 0.2;

/// How high the loss jumps when the rotation goes.
Finding spike_of(const DropeStudy& study);
/// How many steps later it is back where it was, and where it ends.
Finding healing_of(const DropeStudy& study);
/// Whether the loss in windows of 4 times the length is below that of RoPE kept, and steady.
Finding longer_windows(const DropeStudy& study);
/// Whether a model that had RoPE for a while ends below one that never had, at equal steps.
Finding training_wheels(const DropeStudy& study);

}  // namespace phasor
