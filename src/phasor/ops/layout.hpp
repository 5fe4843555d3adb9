// Ops that move elements without changing them.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// The same elements in the same order under another shape. Throws ShapeError when the number of
/// elements differs.
Var reshape(const Var& x, const Shape& shape);

/// Axis i of the result is axis axes[i] of x, as numpy.transpose. Throws ShapeError when `axes` is
/// not a permutation of x's axes.
Var transpose(const Var& x, const std::vector<std::size_t>& axes);

/// Elements start <= index < stop along one axis. Throws ShapeError when the range is outside.
Var slice(const Var& x, std::size_t axis, std::size_t start, std::size_t stop);

/// Joins along one axis; all other extents are equal. Throws ShapeError.
Var concatenate(const std::vector<Var>& parts, std::size_t axis);

/// [B, T, H * D] -> [B, H, T, D]: each head's share of the width, heads before time.
Var split_heads(const Var& x, std::size_t heads);
/// [B, H, T, D] -> [B, T, H * D]: the inverse of split_heads.
Var merge_heads(const Var& x);

}  // namespace phasor::inline PHASOR_PRECISION
