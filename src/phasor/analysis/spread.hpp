// Several measurements of the same thing, one for each seed: what is signal, and what is noise.
#pragma once
#include <vector>

namespace phasor {

/// Mean, least and most of some values; all NaN when there are none or one of them is NaN.
struct Spread {
  double mean, least, most;
  double width() const { return most - least; }
};
Spread spread_of(const std::vector<double>& values);

/// Whether two spreads lie apart: every value of the one below every value of the other. When they
/// do not, the difference of their means is noise.
bool lie_apart(const Spread& a, const Spread& b);

}  // namespace phasor
