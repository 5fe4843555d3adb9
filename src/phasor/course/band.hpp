// A line over seeds: its mean, and the band from the least to the most.
#pragma once
#include "phasor/analysis/spread.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor {

/// The next point of a line: the mean and, of several seeds, the band around it.
inline void append(Series& series, const Spread& spread, std::size_t seeds) {
  series.y.push_back(spread.mean);
  if (seeds < 2) return;
  series.low.push_back(spread.least);
  series.high.push_back(spread.most);
}

/// The same at `x`.
inline void append(Series& series, double x, const Spread& spread, std::size_t seeds) {
  series.x.push_back(x);
  append(series, spread, seeds);
}

}  // namespace phasor
