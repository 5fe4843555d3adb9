// What Lab 10 says about its numbers, written from them.
#pragma once
#include "labs/lab10_longer/experiment.hpp"

namespace phasor::lab10 {

/// Turns and speeds of every pair: as trained, and under each scaling by 4.
std::string turns_table(const TrainedRotation& rotation);

/// Who is best in the longest windows, who cannot be told from it, who is steady and who is not.
std::string reading_of(const std::vector<LengthCurve>& curves);
/// The same for scalings of one scheme, of which the first is none.
std::string reading_of_scalings(const std::vector<LengthCurve>& scalings);

/// What the ramps of YaRN show of a loss and a formula.
std::string reading_of_ramps(const Study& study);

/// What a few steps at the longer length did, and whether a scaling made a difference to it.
std::string reading_of_tuning(const Study& study);

/// Published results beside those of this lab, and what a model of this size can show of them.
std::vector<std::string> published(const Study& study);

}  // namespace phasor::lab10
