#include "phasor/ops/softmax.hpp"

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/softmax.hpp"

namespace phasor::inline PHASOR_PRECISION {

Var softmax(const Var& x) {
  check(x.rank() >= 1, "[softmax] needs at least 1 axis, got {}", x.shape());
  return Var::op("softmax", kernel::softmax(x.value()), {x}, [](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::softmax_backward(g.output(), g.dy()));
  });
}

Var log_softmax(const Var& x) {
  check(x.rank() >= 1, "[log_softmax] needs at least 1 axis, got {}", x.shape());
  return Var::op("log_softmax", kernel::log_softmax(x.value()), {x}, [](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::log_softmax_backward(g.output(), g.dy()));
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
