#include "phasor/position/alibi.hpp"

#include <bit>
#include <cmath>

#include "phasor/position/distances.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Alibi : public DistanceBiasScheme {
 public:
  explicit Alibi(std::size_t heads) : slopes_(alibi_slopes(heads)) {}

  Var bias_by_distance(const std::vector<double>& distances, bool) const override {
    Tensor result = empty({distances.size(), slopes_.size()});
    Real* out = result.data();
    for (const double distance : distances)
      for (const double slope : slopes_) *out++ = static_cast<Real>(-slope * std::abs(distance));
    return Var(std::move(result));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    return traits;
  }

  std::vector<Fact> facts() const override { return {{"slope of each head", slopes_}}; }

 private:
  std::vector<double> slopes_;
};

/// 2^(-8h/H) for h = 1 .. H.
std::vector<double> geometric_slopes(std::size_t heads) {
  std::vector<double> slopes;
  for (std::size_t h = 1; h <= heads; ++h)
    slopes.push_back(std::exp2(-8 * static_cast<double>(h) / static_cast<double>(heads)));
  return slopes;
}

}  // namespace

std::vector<double> alibi_slopes(std::size_t heads) {
  const std::size_t below = std::bit_floor(heads);
  std::vector<double> slopes = geometric_slopes(below);
  const std::vector<double> above = geometric_slopes(2 * below);
  for (std::size_t i = 0; slopes.size() < heads; i += 2) slopes.push_back(above[i]);
  return slopes;
}

SchemeEntry alibi() {
  return {.name = "alibi",
          .kind = "bias",
          .summary = "logits fall linearly with distance, at a slope for each head",
          .paper = "Press et al. 2021, arXiv 2108.12409",
          .equation = "section 3",
          .options = {},
          .make = [](const SchemeSizes& sizes, const Options&, Rng&) {
            return std::make_unique<Alibi>(sizes.heads);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
