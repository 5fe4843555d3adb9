// The table of encodings with a measured column.
#pragma once
#include "phasor/course/length/measures.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor {

/// What the comparison of encodings rests on, from the runs of lab 10.
struct Comparison {
  LengthCurve sinusoidal, learned, rotary, scaled, linear;
};

/// From folder/toy-... . Throws DataError naming the lab when a run is not there.
Comparison compare_lengths(const std::filesystem::path& folder);

/// D1-T1: who uses it, its idea, what is said of longer texts, and what was measured.
Figure comparison_figure(const Comparison& comparison);

/// "steady to 8 times (+1.2 %)", "to 2 times, then +14 % at 512", "stops at 64".
std::string reach_in_words(const LengthCurve& curve);

}  // namespace phasor
