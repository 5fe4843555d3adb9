#include "phasor/position/kernel.hpp"

#include <cmath>
#include <limits>

#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/layout.hpp"
#include "phasor/ops/matmul.hpp"

namespace phasor::inline PHASOR_PRECISION {

Tensor score_kernel(const Scheme& scheme, const SchemeSizes& sizes, const Positions& positions,
                    bool causal) {
  const NoGrad no_grad;
  const std::size_t T = positions.size(), H = sizes.heads;
  const Var nothing(zeros({1, T, sizes.width})), ones(full({1, T, sizes.width}, 1));
  const Var added = scheme.embed(nothing, positions);
  const bool is_additive = !added.is_same(nothing);
  const Var content = split_heads(is_additive ? added : ones, H);  // [1, H, T, D]
  const auto scale = static_cast<Real>(1 / std::sqrt(static_cast<double>(sizes.head_width())));
  const Context context{positions, positions, scale, causal, ones};
  const QK rotated = scheme.rotate(content, content, context);
  Mask hidden = Mask::from_shape({T, T});
  for (std::size_t m = 0; m < T; ++m)
    for (std::size_t n = 0; n < T; ++n) hidden(m, n) = causal && n > m;
  Var logits = matmul(rotated.q, rotated.k, {.transpose_b = true, .scale = scale});
  logits = scheme.score(masked_fill(logits, hidden, Real(-1e30)), rotated.q, rotated.k, context);
  const Real none = std::numeric_limits<Real>::quiet_NaN();
  return reshape(masked_fill(logits, hidden, none), {H, T, T}).value();
}

}  // namespace phasor::inline PHASOR_PRECISION
