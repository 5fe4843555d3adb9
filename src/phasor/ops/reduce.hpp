// Sums, means and running sums.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Sum of all elements -> scalar.   dx = dy everywhere.
Var sum(const Var& x);
/// Sum over one axis, which disappears.   dx = dy repeated along it. Throws ShapeError.
Var sum(const Var& x, std::size_t axis);
/// Mean of all elements -> scalar.   dx = dy / number of elements.
Var mean(const Var& x);
/// Mean over one axis, which disappears.   dx = dy / extent. Throws ShapeError.
Var mean(const Var& x, std::size_t axis);

/// From where a cumulative sum starts.
enum class From { first, last };
/// y[..., i] = sum of x[..., j] over j <= i, or over j >= i from the last.
/// dx is the cumulative sum of dy from the other end. Throws ShapeError on rank 0.
Var cumulative_sum(const Var& x, From from = From::first);

}  // namespace phasor::inline PHASOR_PRECISION
