#include "phasor/position/kerple_log.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/ops/activation.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/position/distances.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr Real kLeast = Real(0.01);

Tensor random_up_to(Real most, std::size_t heads, Rng& rng) {
  Tensor result = empty({heads});
  for (Real& value : result.storage())
    value = std::max(kLeast, most * static_cast<Real>(rng.uniform()));
  return result;
}

class KerpleLog : public DistanceBiasScheme {
 public:
  KerpleLog(std::size_t heads, Rng& rng)
      : r1_(add_parameter("r1", random_up_to(2, heads, rng))),
        r2_(add_parameter("r2", random_up_to(1, heads, rng))) {}

  Var bias_by_distance(const std::vector<double>& distances, bool) const override {
    Tensor distance = empty({distances.size(), 1});
    for (std::size_t i = 0; i < distances.size(); ++i)
      distance(i, 0) = static_cast<Real>(std::abs(distances[i]));
    return scale(mul(r1_, log1p(mul(r2_, Var(distance)))), -1);  // [U, H]
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
