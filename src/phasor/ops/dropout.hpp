// Random silence during training.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// y = x * keep / (1 - probability), keep drawn as 0 with `probability`, else 1, so that the
/// expectation is x.   dx = dy * keep / (1 - probability). With probability 0, x itself.
/// Srivastava et al. (2014). Throws ConfigError unless 0 <= probability < 1.
Var dropout(const Var& x, Real probability, Rng& rng);

}  // namespace phasor::inline PHASOR_PRECISION
