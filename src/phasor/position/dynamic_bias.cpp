#include "phasor/position/dynamic_bias.hpp"

#include <cmath>

#include "phasor/position/distance_mlp.hpp"
#include "phasor/position/distances.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class DynamicBias : public DistanceBiasScheme {
 public:
  DynamicBias(bool takes_logarithm, std::size_t hidden, std::size_t heads, Rng& rng)
      : takes_logarithm_(takes_logarithm), mlp_(hidden, heads, rng) {
    add_part("mlp", mlp_);
  }

  Var bias_by_distance(const std::vector<double>& distances, bool) const override {
    Tensor u = empty({distances.size(), 1});
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double rel = distances[i];
      u.data()[i] =
          static_cast<Real>(takes_logarithm_ ? std::copysign(std::log1p(std::abs(rel)), rel) : rel);
    }
    return mlp_(Var(u));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    traits.parameter_count = parameter_count();
    return traits;
  }

 private:
  bool takes_logarithm_;
  DistanceMlp mlp_;
};

}  // namespace

SchemeEntry dynamic_bias() {
  return {.name = "dynamic_bias",
          .kind = "bias",
          .summary = "a small network of the distance, or of its logarithm",
          .paper = "Liu et al. 2021, arXiv 2111.09883",
          .equation = "equations 3 and 4",
          .options = {{"input", ChoiceOption{{"linear", "log"}}, "what the network is given"},
                      {"hidden", NumberOption{32, 1, 4096, true}, "hidden width of the network"}},
          .make = [](const SchemeSizes& sizes, const Options& options, Rng& rng) {
            return std::make_unique<DynamicBias>(options.choice("input") == "log",
                                                 static_cast<std::size_t>(options.number("hidden")),
                                                 sizes.heads, rng);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
