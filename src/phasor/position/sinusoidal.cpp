#include "phasor/position/sinusoidal.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Sinusoidal : public Scheme {
 public:
  Sinusoidal(std::size_t width, double base, bool is_interleaved)
      : width_(width), is_interleaved_(is_interleaved) {
    check<ConfigError>(width % 2 == 0 && width > 0,
                       "[sinusoidal] width must be even, for sines and cosines come in pairs, got "
                       "{}; choose --width {}",
                       width, width + 1);
    for (std::size_t k = 0; k < width / 2; ++k)
      frequencies_.push_back(
          std::pow(base, -2 * static_cast<double>(k) / static_cast<double>(width)));
  }

  Var embed(const Var& x, const Positions& positions) const override {
    return add(x, Var(table(positions)));
  }

  Traits traits() const override {
    Traits traits;
    traits.bias_ignores_content = true;
    traits.scales_embedding = true;
    return traits;
  }

 private:
  /// The encodings, [T, C]. Angles are taken in double: in float, sin(p) is wrong in the fourth
  /// digit from p = 10000 on.
  Tensor table(const Positions& positions) const {
    Tensor result = empty({positions.size(), width_});
    const std::size_t pairs = width_ / 2;
    for (std::size_t t = 0; t < positions.size(); ++t) {
      Real* row = result.data() + t * width_;
      for (std::size_t k = 0; k < pairs; ++k) {
        const double angle = positions[t] * frequencies_[k];
        row[is_interleaved_ ? 2 * k : k] = static_cast<Real>(std::sin(angle));
        row[is_interleaved_ ? 2 * k + 1 : pairs + k] = static_cast<Real>(std::cos(angle));
      }
    }
    return result;
  }

  std::size_t width_;
  bool is_interleaved_;
  std::vector<double> frequencies_;
};

}  // namespace

SchemeEntry sinusoidal() {
  return {.name = "sinusoidal",
          .kind = "additive",
          .summary = "fixed sines and cosines of geometric wavelengths",
          .paper = "Vaswani et al. 2017, arXiv 1706.03762",
          .equation = "section 3.5",
          .options = {{"base", NumberOption{10000, 1, 1e12}, "base of the wavelengths"},
                      {"layout", ChoiceOption{{"interleaved", "concat"}}, "order of the columns"}},
          .make = [](const SchemeSizes& sizes, const Options& options, Rng&) {
            return std::make_unique<Sinusoidal>(sizes.width, options.number("base"),
                                                options.choice("layout") == "interleaved");
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
