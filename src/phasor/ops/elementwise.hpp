// Sums and products element by element. Shapes broadcast as in NumPy.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// y = a + b.   da = dy, db = dy, summed over stretched axes. Throws ShapeError.
Var add(const Var& a, const Var& b);
/// y = a - b.   da = dy, db = -dy, summed over stretched axes. Throws ShapeError.
Var sub(const Var& a, const Var& b);
/// y = a * b.   da = dy * b, db = dy * a, summed over stretched axes. Throws ShapeError.
Var mul(const Var& a, const Var& b);
/// y = factor * x.   dx = factor * dy.
Var scale(const Var& x, Real factor);

inline Var operator+(const Var& a, const Var& b) { return add(a, b); }
inline Var operator-(const Var& a, const Var& b) { return sub(a, b); }
inline Var operator*(const Var& a, const Var& b) { return mul(a, b); }

/// y = value where mask is true, x elsewhere.   dx = 0 where masked, dy elsewhere.
/// The mask's shape must equal the last axes of x's shape; it is repeated over the others.
/// Throws ShapeError.
Var masked_fill(const Var& x, const Mask& mask, Real value);

}  // namespace phasor::inline PHASOR_PRECISION
