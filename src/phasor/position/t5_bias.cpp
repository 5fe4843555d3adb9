#include "phasor/position/t5_bias.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/embedding.hpp"
#include "phasor/position/distances.hpp"
#include "phasor/position/log_steps.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class T5Bias : public DistanceBiasScheme {
 public:
  T5Bias(std::size_t buckets, double max_distance, std::size_t heads, Rng& rng)
      : buckets_(buckets),
        max_distance_(max_distance),
        table_(add_parameter("table", random_normal({buckets, heads}, 0, Real(0.02), rng))) {}

  Var bias_by_distance(const std::vector<double>& distances, bool causal) const override {
    Indices bucket = Indices::from_shape({distances.size()});
    for (std::size_t i = 0; i < distances.size(); ++i)
      bucket(i) =
          static_cast<std::int64_t>(t5_bucket(distances[i], buckets_, max_distance_, causal));
    return embedding(table_, bucket);
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    traits.parameter_count = table_.size();
    return traits;
  }

  std::vector<Fact> facts() const override {
    return {{"first distance of each bucket, causal", starts(true)},
            {"first distance of each bucket of the past, unmasked", starts(false)}};
  }

 private:
  std::vector<double> starts(bool causal) const {
    std::vector<double> result;
    std::size_t last = buckets_;
    for (double rel = 0; rel <= max_distance_; ++rel) {
      const std::size_t bucket = t5_bucket(rel, buckets_, max_distance_, causal);
      if (bucket != last) result.push_back(rel);
      last = bucket;
    }
    return result;
  }

  std::size_t buckets_;
  double max_distance_;
  Var& table_;
};

}  // namespace

std::size_t t5_bucket(double rel, std::size_t buckets, double max_distance, bool causal) {
  const std::size_t n = causal ? buckets : buckets / 2;
  const std::size_t side = !causal && rel < 0 ? n : 0;
  const double distance = causal ? std::max(rel, 0.0) : std::abs(rel);
  const std::size_t exact = n / 2;
  if (distance < static_cast<double>(exact)) return side + static_cast<std::size_t>(distance);
  const double steps = log_steps(std::min(distance, max_distance), static_cast<double>(exact),
                                 max_distance, n - exact);
  return side + std::min(exact + static_cast<std::size_t>(steps), n - 1);
}

SchemeEntry t5_bias() {
  return {.name = "t5_bias",
          .kind = "bias",
          .summary = "a trained bias for each head and bucket of distances",
          .paper = "Raffel et al. 2020, arXiv 1910.10683",
          .equation = "section 2.1",
          .options = {{"buckets", NumberOption{32, 4, 4096, true}, "number of buckets"},
                      {"max_distance", NumberOption{128, 4, 1e9}, "from where all is one bucket"}},
          .make = [](const SchemeSizes& sizes, const Options& options,
                     Rng& rng) -> std::unique_ptr<Scheme> {
            const auto buckets = static_cast<std::size_t>(options.number("buckets"));
            const double most = options.number("max_distance");
            check<ConfigError>(
                most > static_cast<double>(buckets / 2),
                "[t5_bias] --max-distance must be above half of the {} buckets, got {:g}; "
                "raise it or choose fewer --buckets",
                buckets, most);
            return std::make_unique<T5Bias>(buckets, most, sizes.heads, rng);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
