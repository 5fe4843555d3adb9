#include "phasor/position/kerple_log.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/ops/activation.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/layout.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr Real kLeast = Real(0.01);

Tensor random_up_to(Real most, std::size_t heads, Rng& rng) {
  Tensor result = empty({heads});
  for (Real& value : result.storage())
    value = std::max(kLeast, most * static_cast<Real>(rng.uniform()));
  return result;
}

class KerpleLog : public BiasScheme {
 public:
  KerpleLog(std::size_t heads, Rng& rng)
      : r1_(add_parameter("r1", random_up_to(2, heads, rng))),
        r2_(add_parameter("r2", random_up_to(1, heads, rng))) {}

  Var bias(const Context& context) const override {
    const std::size_t H = r1_.size(), T = context.queries.size(), S = context.keys.size();
    Tensor distance = empty({T, S});
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t s = 0; s < S; ++s)
        distance(t, s) = static_cast<Real>(std::abs(context.queries[t] - context.keys[s]));
    const Var r1 = reshape(r1_, {H, 1, 1}), r2 = reshape(r2_, {H, 1, 1});
    return scale(mul(r1, log1p(mul(r2, Var(distance)))), -1);  // [H, T, S]
  }

  void constrain() override {
    for (Var* parameter : {&r1_, &r2_})
      for (Real& value : parameter->mutable_value().storage()) value = std::max(value, kLeast);
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    traits.shared_across_layers = false;
    traits.parameter_count = r1_.size() + r2_.size();
    return traits;
  }

 private:
  Var &r1_, &r2_;
};

}  // namespace

SchemeEntry kerple_log() {
  return {.name = "kerple_log",
          .kind = "bias",
          .summary = "logits fall with the logarithm of distance, at trained rates for each head",
          .paper = "Chi et al. 2022, arXiv 2205.09921",
          .equation = "equation 5",
          .options = {},
          .make = [](const SchemeSizes& sizes, const Options&, Rng& rng) {
            return std::make_unique<KerpleLog>(sizes.heads, rng);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
