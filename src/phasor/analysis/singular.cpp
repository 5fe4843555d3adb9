#include "phasor/analysis/singular.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"

namespace phasor {
namespace {

using Column = std::vector<double>;

double dot(const Column& a, const Column& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Turns two columns within their plane until they are at right angles; whether they were not yet.
bool make_orthogonal(Column& a, Column& b) {
  const double aa = dot(a, a), bb = dot(b, b), ab = dot(a, b);
  // Rounding of a sum of T products: 1e-15 of the lengths leaves nothing to turn.
  if (std::abs(ab) <= 1e-15 * std::sqrt(aa * bb)) return false;
  const double zeta = (bb - aa) / (2 * ab);
  const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
  const double c = 1 / std::hypot(1.0, t), s = c * t;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
  return true;
}

/// Sweeps over all pairs; some ten are enough, and 60 are a bound for what rounding keeps turning.
void make_all_orthogonal(std::vector<Column>& columns) {
  bool turned = true;
  for (int sweep = 0; turned && sweep < 60; ++sweep) {
    turned = false;
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (std::size_t j = i + 1; j < columns.size(); ++j)
        turned = make_orthogonal(columns[i], columns[j]) || turned;
  }
}

}  // namespace

std::size_t SingularParts::above(double share) const {
  return static_cast<std::size_t>(std::count_if(
      values.begin(), values.end(), [&](double value) { return value > share * values[0]; }));
}

SingularParts singular_parts(const xt::xarray<double>& matrix) {
  check(matrix.dimension() == 2, "[singular_parts] wants 2 axes, got {}", matrix.dimension());
  const std::size_t T = matrix.shape(0), d = matrix.shape(1);
  SingularParts parts{std::vector<double>(d), xt::zeros<double>({T, d})};
  const bool finite =
      std::all_of(matrix.begin(), matrix.end(), [](double value) { return std::isfinite(value); });
  if (!finite) {
    std::fill(parts.values.begin(), parts.values.end(), std::numeric_limits<double>::quiet_NaN());
    parts.left.fill(std::numeric_limits<double>::quiet_NaN());
    return parts;
  }
  std::vector<Column> columns(d, Column(T));
  for (std::size_t c = 0; c < d; ++c)
    for (std::size_t t = 0; t < T; ++t) columns[c][t] = matrix(t, c);
  make_all_orthogonal(columns);
  std::sort(columns.begin(), columns.end(),
            [](const Column& a, const Column& b) { return dot(a, a) > dot(b, b); });
  for (std::size_t c = 0; c < d; ++c) {
    parts.values[c] = std::sqrt(dot(columns[c], columns[c]));
    if (parts.values[c] > 0)
      for (std::size_t t = 0; t < T; ++t) parts.left(t, c) = columns[c][t] / parts.values[c];
  }
  return parts;
}

}  // namespace phasor
