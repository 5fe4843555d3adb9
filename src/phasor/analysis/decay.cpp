#include "phasor/analysis/decay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "phasor/analysis/similarity.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"

namespace phasor {

double sum_of_cosines(double distance, const std::vector<double>& frequencies) {
  double sum = 0;
  for (const double w : frequencies) sum += std::cos(distance * w);
  return sum;
}

double decay_law(double distance, double base) {
  return 1 - (std::log(distance) + std::numbers::egamma) / std::log(base);
}

double decay_law_zero(double base) { return base * std::exp(-std::numbers::egamma); }

double widest_spread(const xt::xarray<double>& rows) {
  check(rows.dimension() == 2, "[widest_spread] rows must have 2 axes, got {}", rows.dimension());
  double widest = 0;
  for (std::size_t distance = 0; distance < rows.shape(0); ++distance) {
    const std::vector<double> dots = dots_at_distance(rows, distance);
    const auto ends = std::minmax_element(dots.begin(), dots.end());
    widest = std::max(widest, *ends.second - *ends.first);
  }
  return widest;
}

xt::xarray<double> normalised(const xt::xarray<double>& rows) {
  const std::vector<double> lengths = norms(rows);
  xt::xarray<double> result = rows;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    check<DataError>(lengths[p] > 0, "[normalised] row {} is zero and has no direction", p);
    for (std::size_t i = 0; i < rows.shape(1); ++i) result(p, i) /= lengths[p];
  }
  return result;
}

std::size_t readable_up_to(const std::vector<double>& values) {
  check<DataError>(!values.empty(), "[readable_up_to] there are no values");
  std::vector<double> most_after(values.size(), -std::numeric_limits<double>::infinity());
  for (std::size_t i = values.size() - 1; i-- > 0;)
    most_after[i] = std::max(most_after[i + 1], values[i + 1]);
  std::size_t last = 0;
  while (last + 1 < values.size() && values[last + 1] > most_after[last + 1] &&
         values[last] > most_after[last])
    ++last;
  return last;
}

}  // namespace phasor
