#include "phasor/analysis/singular.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"
#include "phasor/tensor/xtensor.hpp"

#include PHASOR_XLINALG

namespace phasor {

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
  const auto& [u, values, vt] = xt::linalg::svd(matrix, false);
  for (std::size_t c = 0; c < values.size(); ++c) {
    parts.values[c] = values(c);
    if (values(c) > 0)
      for (std::size_t t = 0; t < T; ++t) parts.left(t, c) = u(t, c);
  }
  return parts;
}

}  // namespace phasor
