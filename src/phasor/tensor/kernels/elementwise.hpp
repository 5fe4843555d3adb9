// Loops over one or two arrays, element by element, with NumPy's broadcasting.
#pragma once
#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

/// a + b, a - b, a * b with broadcasting. Throws ShapeError when the shapes do not fit.
Tensor add(const Tensor& a, const Tensor& b);
Tensor subtract(const Tensor& a, const Tensor& b);
Tensor multiply(const Tensor& a, const Tensor& b);
/// factor * x.
Tensor scale(const Tensor& x, Real factor);

/// target += addend, equal shapes.
void add_to(Tensor& target, const Tensor& addend);
/// Sums `x` over the axes along which `shape` was stretched to reach x's shape: the backward of
/// broadcasting. `shape` must broadcast to x's shape.
Tensor sum_to(const Tensor& x, const Shape& shape);
/// Repeats `x` along stretched axes until it has `shape`.
Tensor expand_to(const Tensor& x, const Shape& shape);

}  // namespace phasor::inline PHASOR_PRECISION::kernel
