#include "phasor/nn/mlp.hpp"

#include "phasor/ops/activation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

Var activate(Activation activation, const Var& x) {
  switch (activation) {
    case Activation::gelu_tanh:
      return gelu_tanh(x);
    case Activation::gelu_erf:
      return gelu_erf(x);
    case Activation::relu:
      return relu(x);
    case Activation::silu:
      break;
  }
  return silu(x);
}

}  // namespace

Mlp::Mlp(std::size_t width, std::size_t hidden, Activation activation, Real deviation,
         Real residual_deviation, Rng& rng)
    : activation_(activation),
      up_(width, hidden, Bias::with, deviation, rng),
      down_(hidden, width, Bias::with, residual_deviation, rng) {
  add_part("up", up_);
  add_part("down", down_);
}

Var Mlp::operator()(const Var& x) const { return down_(activate(activation_, up_(x))); }

}  // namespace phasor::inline PHASOR_PRECISION
