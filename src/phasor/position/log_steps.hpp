// Distances on a logarithmic scale, for tables whose rows stand for ever wider ranges.
#pragma once
#include <cstddef>

#include "phasor/core/real.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// n ln(x / first) / ln(last / first): of n equal ratios that lead from `first` to `last`, how many
/// lie between `first` and x.   0 < first <= x <= last, first < last.
///
/// Who rounds the result up or down to a row needs it exact where it is whole: ln(16) / ln(32) * 5
/// is 4, but a hair less or more in floating point. So for whole x, first and last with
/// (x / first)^n = (last / first)^j, which is decided in integers, it is j itself. Any other result
/// for whole numbers up to 1024 and n up to 33 is at least 1e-11 away from a whole number
/// (tests/golden/log_buckets.py measures that), and rounding is below 1e-13.
double log_steps(double x, double first, double last, std::size_t n);

}  // namespace phasor::inline PHASOR_PRECISION
