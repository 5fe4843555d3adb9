#include "phasor/ops/norm.hpp"

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/norm.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

void check_width(const char* who, const Var& x, const Var& parameter, const char* what) {
  check(x.rank() >= 1 && parameter.shape() == Shape{x.shape().back()},
        "[{}] {} has shape {}, but must be the last extent of x {}", who, what, parameter.shape(),
        x.shape());
}

}  // namespace

Var layer_norm(const Var& x, const Var& weight, const Var& bias, Real epsilon) {
  check_width("layer_norm", x, weight, "weight");
  check_width("layer_norm", x, bias, "bias");
  kernel::Statistics statistics;
  Tensor y = kernel::layer_norm(x.value(), weight.value(), bias.value(), epsilon, &statistics);
  return Var::op("layer_norm", std::move(y), {x, weight, bias},
                 [epsilon, statistics = std::move(statistics)](const OpGrad& g) {
                   kernel::layer_norm_backward(g.input(0), g.input(1), epsilon, g.dy(),
                                               {g.wanted(0), g.wanted(1), g.wanted(2)},
                                               &statistics);
                 });
}

Var rms_norm(const Var& x, const Var& weight, Real epsilon) {
  check_width("rms_norm", x, weight, "weight");
  kernel::Statistics statistics;
  Tensor y = kernel::rms_norm(x.value(), weight.value(), epsilon, &statistics);
  return Var::op("rms_norm", std::move(y), {x, weight},
                 [epsilon, statistics = std::move(statistics)](const OpGrad& g) {
                   kernel::rms_norm_backward(g.input(0), g.input(1), epsilon, g.dy(),
                                             {g.wanted(0), g.wanted(1)}, &statistics);
                 });
}

}  // namespace phasor::inline PHASOR_PRECISION
