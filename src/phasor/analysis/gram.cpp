#include "phasor/analysis/gram.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phasor/analysis/matrix.hpp"
#include "phasor/analysis/singular.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/core/shape.hpp"

namespace phasor {
namespace {

/// The impulse in row `place`, projected on the left singular vectors that count.
xt::xarray<double> rebuilt_from(const SingularParts& parts, std::size_t place) {
  xt::xarray<double> rebuilt = xt::zeros<double>({parts.left.shape(0)});
  for (std::size_t k = 0; k < parts.above(kWeak); ++k)
    for (std::size_t p = 0; p < rebuilt.size(); ++p)
      rebuilt(p) += parts.left(p, k) * parts.left(place, k);
  return rebuilt;
}

}  // namespace

xt::xarray<double> column_cosines(const xt::xarray<double>& columns) {
  check(columns.dimension() == 2, "[column_cosines] wants 2 axes, got {}", columns.dimension());
  const xt::xarray<double> gram = product(transposed(columns), columns);
  xt::xarray<double> cosines = gram;
  for (std::size_t i = 0; i < gram.shape(0); ++i)
    for (std::size_t j = 0; j < gram.shape(1); ++j) {
      const double lengths = std::sqrt(gram(i, i) * gram(j, j));
      cosines(i, j) = i == j ? 1 : lengths > 0 ? gram(i, j) / lengths : 0;
    }
  return cosines;
}

xt::xarray<double> rebuilt_impulse(const xt::xarray<double>& columns, std::size_t place) {
  check(columns.dimension() == 2 && place < columns.shape(0),
        "[rebuilt_impulse] wants 2 axes and more than {} rows, got {} axes", place,
        columns.dimension());
  return rebuilt_from(singular_parts(columns), place);
}

Frame frame_of(const xt::xarray<double>& columns) {
  const xt::xarray<double> cosines = column_cosines(columns);
  Frame frame{0, 0, 0};
  for (std::size_t i = 0; i < cosines.shape(0); ++i)
    for (std::size_t j = 0; j < i; ++j)
      frame.largest_cosine = larger(frame.largest_cosine, std::abs(cosines(i, j)));
  const SingularParts parts = singular_parts(columns);
  const std::size_t middle = columns.shape(0) / 2;
  frame.directions = parts.above(kWeak);
  frame.impulse_energy =
      rebuilt_from(parts, middle)(middle);  // of a projection, whose energy it is
  return frame;
}

AngleFunction fourier_angle(std::size_t positions) {
  return [step = 2 * std::numbers::pi / static_cast<double>(positions)](
             std::size_t p, std::size_t k, std::size_t) {
    return step * static_cast<double>(k + 1) * static_cast<double>(p);
  };
}

}  // namespace phasor
