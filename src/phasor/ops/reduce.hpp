// Sums and means.
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

}  // namespace phasor::inline PHASOR_PRECISION
