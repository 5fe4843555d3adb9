#include "phasor/position/sinusoidal.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/layout.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

class Sinusoidal : public Scheme {
 public:
  /// `width`: of the encoding, all of the tokens' or the last half of it.
  Sinusoidal(std::size_t width, double base, bool is_interleaved, bool is_added)
      : width_(width), is_interleaved_(is_interleaved), is_added_(is_added) {
    for (std::size_t k = 0; k < width / 2; ++k)
      frequencies_.push_back(
          std::pow(base, -2 * static_cast<double>(k) / static_cast<double>(width)));
  }

  Var embed(const Var& x, const Positions& positions) const override {
    if (is_added_) return add(x, Var(table(positions)));
    const std::size_t B = x.shape()[0], T = x.shape()[1];
    const Var encodings = add(Var(zeros({B, T, width_})), Var(table(positions)));
    return concatenate({slice(x, 2, 0, x.shape()[2] - width_), encodings}, 2);
  }

  std::optional<Var> added_bias(const Context&) const override { return Var(); }

  Traits traits() const override {
    Traits traits;
    traits.bias_ignores_content = true;
    traits.scales_embedding = is_added_;
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
  bool is_interleaved_, is_added_;
  std::vector<double> frequencies_;
};

std::unique_ptr<Scheme> make(const SchemeSizes& sizes, const Options& options, Rng&) {
  const bool is_added = options.choice("combine") == "add";
  const std::size_t step = is_added ? 2 : 4;
  check<ConfigError>(sizes.width % step == 0 && sizes.width > 0,
                     "[sinusoidal] width must be {}, for sines and cosines come in pairs, got {}; "
                     "choose --width {}",
                     is_added ? "even" : "divisible by 4 to be shared with the token", sizes.width,
                     (sizes.width / step + 1) * step);
  return std::make_unique<Sinusoidal>(is_added ? sizes.width : sizes.width / 2,
                                      options.number("base"),
                                      options.choice("layout") == "interleaved", is_added);
}

}  // namespace

SchemeEntry sinusoidal() {
  return {.name = "sinusoidal",
          .kind = "additive",
          .summary = "fixed sines and cosines of geometric wavelengths",
          .paper = "Vaswani et al. 2017, arXiv 1706.03762",
          .equation = "section 3.5",
          .options = {{"base", NumberOption{10000, 1, 1e12}, "base of the wavelengths"},
                      {"layout", ChoiceOption{{"interleaved", "concat"}}, "order of the columns"},
                      {"combine", ChoiceOption{{"add", "concatenate"}},
                       "with the token; concatenate does not scale it by sqrt(width)"}},
          .make = make};
}

}  // namespace phasor::inline PHASOR_PRECISION
