// Softmax and its logarithm over the last axis.
#pragma once
#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

/// The logarithm of a weight is (x - top) - log_sum: in this order, for top + log_sum would round
/// the logarithm away beside a large x.
struct LogNormaliser {
  Real top, log_sum;  // max, log(sum(exp(x - max)))
};

/// y = exp(x - max) / sum(exp(x - max)) over the last axis. x: [..., N] -> [..., N].
/// `kept`, unless null, receives one entry a row.
Tensor softmax(const Tensor& x, std::vector<LogNormaliser>* kept = nullptr);
/// dx = y * (dy - sum(dy * y)).
Tensor softmax_backward(const Tensor& y, const Tensor& dy);

/// y = x - max - log(sum(exp(x - max))) over the last axis. x: [..., N] -> [..., N].
Tensor log_softmax(const Tensor& x);
/// dx = dy - exp(y) * sum(dy).
Tensor log_softmax_backward(const Tensor& y, const Tensor& dy);

}  // namespace phasor::inline PHASOR_PRECISION::kernel
