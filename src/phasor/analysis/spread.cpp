#include "phasor/analysis/spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace phasor {

Spread spread_of(const std::vector<double>& values) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // A NaN would make minimum and maximum depend on where it stands.
  const bool has_nan =
      std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
  if (values.empty() || has_nan) return {nan, nan, nan};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {sum / static_cast<double>(values.size()), *least, *most};
}

bool lie_apart(const Spread& a, const Spread& b) { return a.most < b.least || b.most < a.least; }

}  // namespace phasor
