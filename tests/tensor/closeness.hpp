// How far apart two arrays are.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Distance from 1 to the next number: a correctly rounded operation errs by half of it.
inline constexpr double kEpsilon = std::numeric_limits<Real>::epsilon();

/// Largest |got - want| / max |want|; the absolute difference when all of `want` is 0. Infinite
/// when the shapes differ, NaN when either array holds one.
template <class Got, class Want>
double relative_difference(const Got& got, const Want& want) {
  if (shape_of(got) != shape_of(want)) return std::numeric_limits<double>::infinity();
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto wanted = static_cast<double>(want.data()[i]);
    const double error = std::abs(static_cast<double>(got.data()[i]) - wanted);
    if (std::isnan(error)) return error;
    difference = std::max(difference, error);
    size = std::max(size, std::abs(wanted));
  }
  return size > 0 ? difference / size : difference;
}

/// Same shape and the same numbers.
inline bool identical(const Tensor& a, const Tensor& b) { return relative_difference(a, b) == 0; }

/// Standard normal numbers of a fixed seed.
inline Tensor normal(const Shape& shape, std::uint64_t seed = 1) {
  Rng rng(seed, "test");
  return random_normal(shape, 0, 1, rng);
}

/// The index along each axis of the element that is number `flat` in row-major order.
inline Shape unravel(std::size_t flat, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; flat /= shape[axis])
    index[axis] = flat % shape[axis];
  return index;
}

}  // namespace phasor::inline PHASOR_PRECISION
