#include "phasor/position/distance_mlp.hpp"

#include "phasor/ops/activation.hpp"
#include "phasor/ops/matmul.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

Tensor random_uniform(const Shape& shape, Rng& rng) {
  Tensor result = empty(shape);
  for (Real& value : result.storage()) value = static_cast<Real>(2 * rng.uniform() - 1);
  return result;
}

}  // namespace

DistanceMlp::DistanceMlp(std::size_t hidden, std::size_t heads, Rng& rng)
    : up_weight_(add_parameter("up.weight", random_uniform({hidden, 1}, rng))),
      up_bias_(add_parameter("up.bias", random_uniform({hidden}, rng))),
      down_weight_(
          add_parameter("down.weight", random_normal({heads, hidden}, 0, Real(0.02), rng))),
      down_bias_(add_parameter("down.bias", zeros({heads}))) {}

Var DistanceMlp::operator()(const Var& x) const {
  return linear(relu(linear(x, up_weight_, up_bias_)), down_weight_, down_bias_);
}

}  // namespace phasor::inline PHASOR_PRECISION
