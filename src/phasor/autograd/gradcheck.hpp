// Compares backward with finite differences.
#pragma once
#include "phasor/autograd/var.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct GradcheckResult {
  /// Largest over inputs of |analytic - numeric| / max(|analytic|, |numeric|), in the maximum norm.
  double relative_error = 0;
  std::size_t worst_input = 0;
};

using TensorFunction = std::function<Var(const std::vector<Var>&)>;

/// The gradient of sum(dy * f(inputs)) for a random cotangent dy, by backward and by differences
///   (8 (L(x+h) - L(x-h)) - (L(x+2h) - L(x-2h))) / 12h,   error O(h^4).
/// A cotangent of ones would hide errors: a sum of softmax outputs has gradient zero whatever the
/// code does. Meaningful in double only; h = 1e-3 balances truncation (h^4 = 1e-12) against
/// rounding (1e-16 / h = 1e-13). Inputs should be of order one and away from kinks.
GradcheckResult gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                          std::uint64_t seed = 1);

}  // namespace phasor::inline PHASOR_PRECISION
