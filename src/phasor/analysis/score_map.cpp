#include "phasor/analysis/score_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"

namespace phasor {

xt::xarray<double> score_map(const xt::xarray<double>& queries, const xt::xarray<double>& keys) {
  return product(queries, transposed(keys));
}

double spread_on_diagonals(const xt::xarray<double>& map) {
  check(map.dimension() == 2, "[spread_on_diagonals] the map must have two axes, got {}",
        map.dimension());
  const std::size_t T = map.shape(0), S = map.shape(1);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double widest = 0;
  for (std::size_t diagonal = 0; diagonal + 1 < T + S; ++diagonal) {
    double low = kInfinity, high = -kInfinity;
    // column - row = diagonal - (T - 1)
    for (std::size_t m = 0; m < T; ++m) {
      if (diagonal + m + 1 < T || diagonal + m + 1 - T >= S) continue;
      const double value = map(m, diagonal + m + 1 - T);
      low = std::fmin(low, value);  // a NaN leaves it
      high = std::fmax(high, value);
    }
    if (low <= high) widest = std::max(widest, high - low);
  }
  return widest;
}

double relative_spread_on_diagonals(const xt::xarray<double>& map) {
  double largest = 0;
  for (const double value : map) largest = std::fmax(largest, std::abs(value));
  return largest > 0 ? spread_on_diagonals(map) / largest : 0;
}

xt::xarray<double> normal_rows(std::size_t count, std::size_t width, double deviation, Rng& rng) {
  xt::xarray<double> rows = xt::zeros<double>({count, width});
  for (double& value : rows) value = deviation * rng.normal();
  return rows;
}

xt::xarray<double> repeated_row(const xt::xarray<double>& rows, std::size_t row,
                                std::size_t count) {
  check(rows.dimension() == 2 &&
                row<rows.shape(0),
                    "[repeated_row] rows must be [more than {}, D], got {} axes and {} rows", row,
                    rows.dimension(), rows.dimension()> 0
            ? rows.shape(0)
            : 0);
  xt::xarray<double> result = xt::zeros<double>({count, rows.shape(1)});
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < rows.shape(1); ++c) result(i, c) = rows(row, c);
  return result;
}

}  // namespace phasor
