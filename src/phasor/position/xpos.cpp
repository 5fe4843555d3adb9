#include "phasor/position/xpos.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/position/rotation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr double kGamma = 0.4;
/// 0.286^-33 is 1e18: products of two such powers, and their gradients, stay within a float. From
/// the first position in sight to the last these are twice as many scale bases.
constexpr double kLargestExponent = 33, kScaleBasesInSight = 2 * kLargestExponent;

class Xpos : public RotationScheme {
 public:
  Xpos(double base, double scale_base, std::size_t head_width)
      : scale_base_(scale_base),
        pairing_{head_width / 2, true},
        frequencies_(rotation_frequencies(base, head_width)) {}

  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    check<ConfigError>(context.causal,
                       "[xpos] attention must be causal: the future would be magnified, not "
                       "damped; choose another scheme, such as rope, for unmasked attention");
    const auto [first, last] = std::minmax_element(context.keys.begin(), context.keys.end());
    const double span = *last - *first, middle = (*first + *last) / 2;
    check<PositionError>(span <= kScaleBasesInSight * scale_base_,
                         "[xpos] {:.15g} positions in sight are more than the {} that {:g} times "
                         "the scale base {:g} allow; keep to {} or choose a larger --scale-base",
                         span + 1, in_sight(), kScaleBasesInSight, scale_base_, in_sight());
    return {mul(rotate_pairs(q, context.queries, frequencies_, pairing_),
                Var(powers(context.queries, middle, 1))),
            mul(rotate_pairs(k, context.keys, frequencies_, pairing_),
                Var(powers(context.keys, middle, -1)))};
  }

  std::vector<double> frequencies(const Positions&) const override { return frequencies_; }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    traits.can_be_dropped = true;
    traits.causal_only = true;
    traits.max_in_sight = in_sight();
    return traits;
  }

  std::vector<Fact> facts() const override {
    Fact zeta{"zeta of each pair", {}};
    for (std::size_t c = 0; c < pairing_.pairs; ++c) zeta.values.push_back(zeta_of(c));
    return {zeta, {"scale base", {scale_base_}}};
  }

 private:
  /// How many consecutive positions one call may have.
  std::size_t in_sight() const {
    return static_cast<std::size_t>(kScaleBasesInSight * scale_base_) + 1;
  }

  double zeta_of(std::size_t c) const {
    return (static_cast<double>(c) / static_cast<double>(pairing_.pairs) + kGamma) / (1 + kGamma);
  }

  /// zeta_c^(sign (p - middle) / S) for both columns of every pair, [T, D].
  Tensor powers(const Positions& positions, double middle, double sign) const {
    const std::size_t pairs = pairing_.pairs;
    Tensor result = empty({positions.size(), 2 * pairs});
    for (std::size_t t = 0; t < positions.size(); ++t)
      for (std::size_t c = 0; c < pairs; ++c) {
        const double power = std::pow(zeta_of(c), sign * (positions[t] - middle) / scale_base_);
        result(t, pairing_.first(c)) = result(t, pairing_.second(c)) = static_cast<Real>(power);
      }
    return result;
  }

  double scale_base_;
  Pairing pairing_;
  std::vector<double> frequencies_;
};

}  // namespace

SchemeEntry xpos() {
  return {.name = "xpos",
          .kind = "rotation",
          .summary = "as rope, and products of pairs decay with distance",
          .paper = "Sun et al. 2022, arXiv 2212.10554",
          .equation = "algorithm 1",
          .options = {{"base", NumberOption{10000, 1, 1e12}, "base of the wavelengths"},
                      {"scale_base", NumberOption{0, 0, 1e9}, "S, 0: half the training context"}},
          .make = [](const SchemeSizes& sizes, const Options& options,
                     Rng&) -> std::unique_ptr<Scheme> {
            check_even_head_width("xpos", sizes.head_width());
            return std::make_unique<Xpos>(
                options.number("base"),
                options.number_or("scale_base", static_cast<double>(sizes.context) / 2),
                sizes.head_width());
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
