// Normalisation over the last axis.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// y = (x - mean) / sqrt(variance + epsilon) * weight + bias over the last axis, the variance
/// divided by C.   x: [..., C], weight, bias: [C] -> [..., C]. Ba et al. (2016), arXiv 1607.06450.
/// Backward: kernel::layer_norm_backward. Throws ShapeError.
Var layer_norm(const Var& x, const Var& weight, const Var& bias, Real epsilon = Real(1e-5));

/// y = x / sqrt(mean(x^2) + epsilon) * weight over the last axis.   x: [..., C], weight: [C]
/// -> [..., C]. Zhang and Sennrich (2019), arXiv 1910.07467. Backward: kernel::rms_norm_backward.
/// Throws ShapeError.
Var rms_norm(const Var& x, const Var& weight, Real epsilon = Real(1e-5));

}  // namespace phasor::inline PHASOR_PRECISION
