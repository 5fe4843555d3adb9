#include "phasor/analysis/matrix.hpp"

#include <cmath>
#include <limits>

#include "phasor/core/error.hpp"
#include "phasor/tensor/xtensor.hpp"

#include PHASOR_XLINALG

namespace phasor {

xt::xarray<double> product(const xt::xarray<double>& a, const xt::xarray<double>& b) {
  check(a.dimension() == 2 && b.dimension() == 2 && a.shape(1) == b.shape(0),
        "[product] wants [M, K] and [K, N], got {} and {}", fmt::join(a.shape(), " x "),
        fmt::join(b.shape(), " x "));
  const std::size_t rows = a.shape(0), inner = a.shape(1), columns = b.shape(1);
  xt::xarray<double> result = xt::zeros<double>({rows, columns});
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < inner; ++k) {
      const double factor = a.data()[i * inner + k];
      const double* row = b.data() + k * columns;
      for (std::size_t j = 0; j < columns; ++j) result.data()[i * columns + j] += factor * row[j];
    }
  return result;
}

xt::xarray<double> transposed(const xt::xarray<double>& matrix) {
  check(matrix.dimension() == 2, "[transposed] wants a matrix, got {} axes", matrix.dimension());
  auto result = xt::xarray<double>::from_shape({matrix.shape(1), matrix.shape(0)});
  for (std::size_t i = 0; i < matrix.shape(0); ++i)
    for (std::size_t j = 0; j < matrix.shape(1); ++j) result(j, i) = matrix(i, j);
  return result;
}

xt::xarray<double> identity(std::size_t size) {
  xt::xarray<double> result = xt::zeros<double>({size, size});
  for (std::size_t i = 0; i < size; ++i) result(i, i) = 1;
  return result;
}

double determinant(const xt::xarray<double>& matrix) {
  check(matrix.dimension() == 2 && matrix.shape(0) == matrix.shape(1),
        "[determinant] wants a square matrix, got {}", fmt::join(matrix.shape(), " x "));
  return xt::linalg::det(matrix);
}

double largest_difference(const xt::xarray<double>& a, const xt::xarray<double>& b) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (a.shape() != b.shape()) return infinity;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a.data()[i] - b.data()[i]);
    if (std::isnan(difference)) return infinity;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace phasor
