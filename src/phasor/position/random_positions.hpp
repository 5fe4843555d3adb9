// Positions drawn from a range longer than any text seen in training.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// `count` different whole numbers from 0 to limit - 1, sorted, every set equally likely: a window
/// of training then stands anywhere in the range, and no position of a longer text is new. Ruoss et
/// al. (2023), arXiv 2305.16843, section 3.1. Throws PositionError when count > limit.
Positions random_positions(std::size_t count, std::size_t limit, Rng& rng);

/// floor(i * limit / count): one such set, spread evenly, for texts that are read and not trained
/// on (the paper draws there too). Throws PositionError when count > limit.
Positions spread_positions(std::size_t count, std::size_t limit);

}  // namespace phasor::inline PHASOR_PRECISION
