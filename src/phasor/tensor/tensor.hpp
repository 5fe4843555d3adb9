// The array type and the few ways to make one.
#pragma once
#include <cstdint>

#include "phasor/core/memory.hpp"
#include "phasor/core/real.hpp"
#include "phasor/core/rng.hpp"
#include "phasor/core/shape.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// Integers: token numbers, targets. Row major.
using Indices = xt::xarray<std::int64_t>;
/// Truth values, for example which logits are masked. Row major.
using Mask = xt::xarray<bool>;

/// The extents of any xtensor array as a plain Shape.
template <class Array>
Shape shape_of(const Array& array) {
  return Shape(array.shape().begin(), array.shape().end());
}

}  // namespace phasor

namespace phasor::inline PHASOR_PRECISION {

/// Row-major array of Real with any number of axes. Never bind an xtensor expression to `auto`:
/// it refers to its operands and dangles when one of them was a temporary.
using Tensor = xt::xarray<Real, xt::layout_type::row_major, RecyclingAllocator<Real>>;

/// Uninitialised.
inline Tensor empty(const Shape& shape) { return Tensor::from_shape(shape); }
inline Tensor full(const Shape& shape, Real value) {
  Tensor result = empty(shape);
  result.fill(value);
  return result;
}
inline Tensor zeros(const Shape& shape) { return full(shape, 0); }
/// A tensor with no axes, such as a loss.
inline Tensor scalar(Real value) { return full({}, value); }
/// Independent normal values, drawn in row-major order.
Tensor random_normal(const Shape& shape, Real mean, Real standard_deviation, Rng& rng);

}  // namespace phasor::inline PHASOR_PRECISION
