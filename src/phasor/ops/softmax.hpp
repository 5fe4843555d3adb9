// From logits to weights.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// y = exp(x) / sum(exp(x)) over the last axis.   x: [..., N] -> [..., N].
/// dx = y * (dy - sum(dy * y)). Throws ShapeError on a scalar.
Var softmax(const Var& x);

/// y = x - log(sum(exp(x))) over the last axis.   x: [..., N] -> [..., N].
/// dx = dy - exp(y) * sum(dy). Throws ShapeError on a scalar.
Var log_softmax(const Var& x);

}  // namespace phasor::inline PHASOR_PRECISION
