// Elements of the last axis chosen by number, and their adjoint.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// y[..., t, s] = x[..., t, index[t, s]].   x: [..., T, R], index: [T, S] in [0, R) -> [..., T, S].
/// dx[..., t, r] = sum of dy[..., t, s] over the s with index[t, s] = r. Throws ShapeError, and
/// DataError on an index outside x.
Var gather(const Var& x, const Indices& index);

/// y[..., t, r] = sum of x[..., t, s] over the s with index[t, s] = r: the adjoint of gather.
/// x: [..., T, S], index: [T, S] in [0, R) -> [..., T, R].   dx[..., t, s] = dy[..., t, index[t,
/// s]]. Throws ShapeError, and DataError on an index that is not below `extent` R.
Var scatter_add(const Var& x, const Indices& index, std::size_t extent);

}  // namespace phasor::inline PHASOR_PRECISION
