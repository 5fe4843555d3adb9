// Softmax and its logarithm over the last axis.
#pragma once
#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

/// y = exp(x - max) / sum(exp(x - max)) over the last axis. x: [..., N] -> [..., N].
Tensor softmax(const Tensor& x);
/// dx = y * (dy - sum(dy * y)).
Tensor softmax_backward(const Tensor& y, const Tensor& dy);

/// y = x - max - log(sum(exp(x - max))) over the last axis. x: [..., N] -> [..., N].
Tensor log_softmax(const Tensor& x);
/// dx = dy - exp(y) * sum(dy).
Tensor log_softmax_backward(const Tensor& y, const Tensor& dy);

}  // namespace phasor::inline PHASOR_PRECISION::kernel
