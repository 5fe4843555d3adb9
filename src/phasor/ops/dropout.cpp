#include "phasor/ops/dropout.hpp"

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {

Var dropout(const Var& x, Real probability, Rng& rng) {
  check<ConfigError>(probability >= 0 && probability < 1,
                     "[dropout] the probability must be at least 0 and below 1, got {}",
                     probability);
  if (probability == 0) return x;
  Tensor keep = empty(x.shape());
  const Real factor = 1 / (1 - probability);
  for (Real& value : keep.storage())
    value = rng.uniform() < static_cast<double>(probability) ? 0 : factor;
  Tensor y = kernel::multiply(x.value(), keep);
  return Var::op("dropout", std::move(y), {x}, [keep = std::move(keep)](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::multiply(g.dy(), keep));
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
