#include "phasor/analysis/collision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"

namespace phasor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double squared_distance(const xt::xarray<double>& rows, std::size_t a, std::size_t b) {
  const std::size_t width = rows.shape(1);
  const double* x = rows.data() + a * width;
  const double* y = rows.data() + b * width;
  double sum = 0;
  for (std::size_t i = 0; i < width; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

void check_rows(const xt::xarray<double>& rows, std::size_t apart, const char* who) {
  check(rows.dimension() == 2 && apart > 0 && rows.shape(0) > apart,
        "[{}] wants rows that are {} apart, got {} rows", who, apart,
        rows.dimension() > 0 ? rows.shape(0) : 0);
}

}  // namespace

RowPair nearest_pair(const xt::xarray<double>& rows, std::size_t apart) {
  check_rows(rows, apart, "nearest_pair");
  RowPair nearest{0, 0, kInfinity};
  for (std::size_t a = 0; a < rows.shape(0); ++a)
    for (std::size_t b = a + apart; b < rows.shape(0); ++b) {
      const double distance = squared_distance(rows, a, b);
      if (distance < nearest.distance) nearest = {a, b, distance};
    }
  nearest.distance = std::sqrt(nearest.distance);
  return nearest;
}

RowPair nearest_to_first(const xt::xarray<double>& rows) {
  check_rows(rows, 1, "nearest_to_first");
  RowPair nearest{0, 0, kInfinity};
  for (std::size_t b = 1; b < rows.shape(0); ++b) {
    const double distance = squared_distance(rows, 0, b);
    if (distance < nearest.distance) nearest = {0, b, distance};
  }
  nearest.distance = std::sqrt(nearest.distance);
  return nearest;
}

std::vector<double> nearest_distances(const xt::xarray<double>& rows) {
  check_rows(rows, 1, "nearest_distances");
  std::vector<double> nearest(rows.shape(0), kInfinity);
  for (std::size_t a = 0; a < nearest.size(); ++a)
    for (std::size_t b = a + 1; b < nearest.size(); ++b) {
      const double distance = std::sqrt(squared_distance(rows, a, b));
      nearest[a] = std::min(nearest[a], distance);
      nearest[b] = std::min(nearest[b], distance);
    }
  return nearest;
}

}  // namespace phasor
