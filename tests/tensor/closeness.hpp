// How far apart two arrays are.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/core/larger.hpp"
#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Distance from 1 to the next number: a correctly rounded operation errs by half of it.
inline constexpr double kEpsilon = std::numeric_limits<Real>::epsilon();

/// Largest |got - want|: infinite when the shapes differ, NaN when either array holds one.
template <class Got, class Want>
double largest_difference(const Got& got, const Want& want) {
  if (shape_of(got) != shape_of(want)) return std::numeric_limits<double>::infinity();
  double result = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    result = larger(
        result, std::abs(static_cast<double>(got.data()[i]) - static_cast<double>(want.data()[i])));
  return result;
}

/// largest_difference / max |want|, undivided when all of `want` is 0.
template <class Got, class Want>
double relative_difference(const Got& got, const Want& want) {
  double size = 0;
  for (const auto value : want) size = std::max(size, std::abs(static_cast<double>(value)));
  return largest_difference(got, want) / (size > 0 ? size : 1);
}

/// Same shape and the same numbers.
inline bool identical(const Tensor& a, const Tensor& b) { return largest_difference(a, b) == 0; }

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
