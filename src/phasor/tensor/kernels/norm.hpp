// Normalisation of every row (the last axis), with its backward.
#pragma once
#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

/// Where backward puts the gradients. A null pointer means it is not wanted. All are added to.
struct NormGradients {
  Real* dx = nullptr;       // [..., C]
  Real* dweight = nullptr;  // [C]
  Real* dbias = nullptr;    // [C]
};

/// A row is normalised to (x - center) * inverse_spread.
struct RowStatistics {
  Real center;
  Real inverse_spread;
};
/// Of every row. Forward leaves them for backward, which takes them anew where it is given none.
using Statistics = std::vector<RowStatistics>;

/// y = (x - mean) / sqrt(variance + epsilon) * weight + bias, variance over C (not C - 1).
/// x: [..., C], weight and bias: [C].
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Real epsilon,
                  Statistics* kept = nullptr);
/// With n = (x - mean) / s, s = sqrt(variance + epsilon), g = dy * weight:
/// dx = (g - mean(g) - n * mean(g * n)) / s,  dweight = sum(dy * n),  dbias = sum(dy).
void layer_norm_backward(const Tensor& x, const Tensor& weight, Real epsilon, const Tensor& dy,
                         const NormGradients& gradients, const Statistics* kept = nullptr);

/// y = x / sqrt(mean(x^2) + epsilon) * weight.   x: [..., C], weight: [C].
Tensor rms_norm(const Tensor& x, const Tensor& weight, Real epsilon, Statistics* kept = nullptr);
/// With n = x / r, r = sqrt(mean(x^2) + epsilon), g = dy * weight:
/// dx = (g - n * mean(g * n)) / r,  dweight = sum(dy * n).
void rms_norm_backward(const Tensor& x, const Tensor& weight, Real epsilon, const Tensor& dy,
                       const NormGradients& gradients, const Statistics* kept = nullptr);

}  // namespace phasor::inline PHASOR_PRECISION::kernel
