// Nonlinearities, element by element. Shapes stay as they are.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// y = max(x, 0).   dx = dy where x > 0, else 0.
Var relu(const Var& x);

/// y = s(x) = 1 / (1 + exp(-x)), the logistic function.   dx = dy * s(x) s(-x).
Var sigmoid(const Var& x);

/// y = ln(1 + exp(x)).   dx = dy * s(x). The logarithm of s(x) is -softplus(-x).
Var softplus(const Var& x);

/// y = ln(1 + x), x > -1, exact near 0.   dx = dy / (1 + x).
Var log1p(const Var& x);

/// y = x s(x), s the logistic function.   dx = dy * s(x) (1 + x (1 - s(x))).
/// Elfwing et al. (2017), arXiv 1702.03118.
Var silu(const Var& x);

/// y = x/2 (1 + tanh u), u = sqrt(2/pi) (x + 0.044715 x^3): GPT-2's form.
/// dx = dy * ((1 + tanh u)/2 + x/2 (1 - tanh^2 u) du/dx). Hendrycks and Gimpel (2016),
/// arXiv 1606.08415.
Var gelu_tanh(const Var& x);

/// y = x/2 (1 + erf(x / sqrt 2)): the exact form.
/// dx = dy * ((1 + erf(x / sqrt 2))/2 + x exp(-x^2/2) / sqrt(2 pi)).
Var gelu_erf(const Var& x);

}  // namespace phasor::inline PHASOR_PRECISION
