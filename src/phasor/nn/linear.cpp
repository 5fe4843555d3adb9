#include "phasor/nn/linear.hpp"

#include "phasor/ops/matmul.hpp"

namespace phasor::inline PHASOR_PRECISION {

Linear::Linear(std::size_t in, std::size_t out, Bias bias, Real standard_deviation, Rng& rng)
    : weight_(add_parameter("weight", random_normal({out, in}, 0, standard_deviation, rng))) {
  if (bias == Bias::with) bias_ = add_parameter("bias", zeros({out}));
}

Var Linear::operator()(const Var& x) const { return linear(x, weight_, bias_); }

}  // namespace phasor::inline PHASOR_PRECISION
