// The worst or the best of several errors, of which one may be no number.
#pragma once
#include <cmath>

namespace phasor {

/// The larger of two numbers, NaN when either is one: what is no number must not be outvoted, as
/// std::max(a, NaN) would have it.
inline double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

/// The smaller of two numbers, NaN when either is one.
inline double smaller(double a, double b) { return a < b || std::isnan(a) ? a : b; }

}  // namespace phasor
