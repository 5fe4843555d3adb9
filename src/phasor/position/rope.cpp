#include "phasor/position/rope.hpp"

#include <cmath>

#include "phasor/autograd/backward.hpp"
#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Which two columns of a head form pair c.
struct Pairing {
  std::size_t pairs;
  bool is_interleaved;
  std::size_t first(std::size_t c) const { return is_interleaved ? 2 * c : c; }
  std::size_t second(std::size_t c) const { return is_interleaved ? 2 * c + 1 : c + pairs; }
};

/// Cosines and sines of all angles, [T, pairs] each.
struct Turns {
  std::vector<Real> cosines, sines;
};

/// x: [B, H, T, D], every pair turned by its angle; `direction` -1 turns back.
Tensor turn(const Tensor& x, const Turns& turns, const Pairing& pairing, Real direction) {
  Tensor result = x;
  const std::size_t T = x.shape()[2], D = x.shape()[3], pairs = pairing.pairs;
  for (std::size_t row = 0; row * D < x.size(); ++row) {
    const Real* in = x.data() + row * D;
    Real* out = result.data() + row * D;
    const Real* cosine = turns.cosines.data() + (row % T) * pairs;
    const Real* sine = turns.sines.data() + (row % T) * pairs;
    for (std::size_t c = 0; c < pairs; ++c) {
      const std::size_t i = pairing.first(c), j = pairing.second(c);
      const Real s = direction * sine[c];
      out[i] = in[i] * cosine[c] - in[j] * s;
      out[j] = in[i] * s + in[j] * cosine[c];
    }
  }
  return result;
}

class Rope : public Scheme {
 public:
  Rope(std::size_t head_width, double base, double fraction, bool is_interleaved)
      : pairing_{static_cast<std::size_t>(fraction * static_cast<double>(head_width) / 2),
                 is_interleaved} {
    check<ConfigError>(head_width % 2 == 0 && head_width > 0,
                       "[rope] head_dim must be even, got {}; choose --width divisible by "
                       "2 * --heads",
                       head_width);
    check<ConfigError>(
        pairing_.pairs > 0,
        "[rope] fraction {} of head_dim {} leaves no pair to rotate; choose a larger "
        "--fraction",
        fraction, head_width);
    const double rotated = 2 * static_cast<double>(pairing_.pairs);
    for (std::size_t c = 0; c < pairing_.pairs; ++c)
      frequencies_.push_back(std::pow(base, -2 * static_cast<double>(c) / rotated));
  }

  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    return {rotated(q, context.queries), rotated(k, context.keys)};
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    return traits;
  }

 private:
  /// Backward turns dy the other way: the transpose of a rotation is its inverse.
  Var rotated(const Var& x, const Positions& positions) const {
    check(x.rank() == 4 && x.shape()[2] == positions.size() && x.shape()[3] >= 2 * pairing_.pairs,
          "[rope] x {} does not fit {} positions and {} rotated columns; it must be [B, H, T, D]",
          x.shape(), positions.size(), 2 * pairing_.pairs);
    const Turns turns = turns_at(positions);
    Tensor y = turn(x.value(), turns, pairing_, 1);
    return Var::op("rope", std::move(y), {x}, [turns, pairing = pairing_](const OpGrad& g) {
      if (g.needs(0)) g.add(0, turn(g.dy(), turns, pairing, -1));
    });
  }

  /// Angles are taken in double: a float angle near 10000 is off by 1e-3.
  Turns turns_at(const Positions& positions) const {
    Turns turns;
    for (const double position : positions)
      for (const double frequency : frequencies_) {
        turns.cosines.push_back(static_cast<Real>(std::cos(position * frequency)));
        turns.sines.push_back(static_cast<Real>(std::sin(position * frequency)));
      }
    return turns;
  }

  Pairing pairing_;
  std::vector<double> frequencies_;
};

}  // namespace

SchemeEntry rope() {
  return {.name = "rope",
          .kind = "rotation",
          .summary = "queries and keys are rotated by their position",
          .paper = "Su et al. 2021, arXiv 2104.09864",
          .equation = "equation 34",
          .options = {{"base", NumberOption{10000, 1, 1e12}, "base of the wavelengths"},
                      {"pairing", ChoiceOption{{"interleaved", "half"}}, "which columns pair up"},
                      {"fraction", NumberOption{1, 0, 1}, "share of each head that is rotated"}},
          .make = [](const SchemeSizes& sizes, const Options& options, Rng&) {
            return std::make_unique<Rope>(sizes.head_width(), options.number("base"),
                                          options.number("fraction"),
                                          options.choice("pairing") == "interleaved");
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
