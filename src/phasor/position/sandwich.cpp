#include "phasor/position/sandwich.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/position/distances.hpp"
#include "phasor/position/rotation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Sandwich : public DistanceBiasScheme {
 public:
  Sandwich(double base, std::size_t width, std::size_t heads)
      : frequencies_(rotation_frequencies(base, width)), heads_(heads) {}

  Var bias_by_distance(const std::vector<double>& distances, bool) const override {
    Tensor values = empty({distances.size(), heads_});
    for (std::size_t u = 0; u < distances.size(); ++u) {
      double product = 0;
      for (const double frequency : frequencies_) product += std::cos(distances[u] * frequency);
      for (std::size_t h = 0; h < heads_; ++h)
        values(u, h) = static_cast<Real>(product / compression(h));
    }
    return Var(std::move(values));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    return traits;
  }

  std::vector<Fact> facts() const override {
    Fact ratios{"divisor of each head", {}};
    for (std::size_t h = 0; h < heads_; ++h) ratios.values.push_back(compression(h));
    return {ratios};
  }

 private:
  double compression(std::size_t h) const {
    return 8 * static_cast<double>(h + 1) / static_cast<double>(heads_);
  }

  std::vector<double> frequencies_;
  std::size_t heads_;
};

}  // namespace

SchemeEntry sandwich() {
  return {.name = "sandwich",
          .kind = "bias",
          .summary = "the sinusoidal encodings' dot product, flatter for each further head",
          .paper = "Chi et al. 2023, arXiv 2212.10356",
          .equation = "section 5",
          .options = {{"base", NumberOption{10000, 1, 1e12}, "base of the wavelengths"},
                      {"pe_width", NumberOption{128, 2, 65536, true},
                       "width W of the encodings, even"}},
          .make = [](const SchemeSizes& sizes, const Options& options,
                     Rng&) -> std::unique_ptr<Scheme> {
            const auto width = static_cast<std::size_t>(options.number("pe_width"));
            check<ConfigError>(width % 2 == 0,
                               "[sandwich] --pe-width must be even, got {:g}; choose {}",
                               options.number("pe_width"), 2 * (width / 2 + 1));
            return std::make_unique<Sandwich>(options.number("base"), width, sizes.heads);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
