#include "phasor/position/rotation.hpp"

#include <cmath>

#include "phasor/autograd/backward.hpp"
#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Cosines and sines of all angles, [T, pairs] each.
struct Turns {
  std::vector<Real> cosines, sines;
};

/// Angles are taken in double: a float angle near 10000 is off by 1e-3.
Turns turns_at(const Positions& positions, const std::vector<double>& frequencies, double factor) {
  Turns turns;
  for (const double position : positions)
    for (const double frequency : frequencies) {
      turns.cosines.push_back(static_cast<Real>(factor * std::cos(position * frequency)));
      turns.sines.push_back(static_cast<Real>(factor * std::sin(position * frequency)));
    }
  return turns;
}

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

}  // namespace

Var rotate_pairs(const Var& x, const Positions& positions, const std::vector<double>& frequencies,
                 const Pairing& pairing, double factor) {
  check(x.rank() == 4 && x.shape()[2] == positions.size() && x.shape()[3] >= 2 * pairing.pairs &&
            frequencies.size() == pairing.pairs,
        "[rotate_pairs] x {} does not fit {} positions and {} frequencies of {} pairs; it must be "
        "[B, H, T, D]",
        x.shape(), positions.size(), frequencies.size(), pairing.pairs);
  const Turns turns = turns_at(positions, frequencies, factor);
  Tensor y = turn(x.value(), turns, pairing, 1);
  return Var::op("rotate_pairs", std::move(y), {x}, [turns, pairing](const OpGrad& g) {
    if (g.needs(0)) g.add(0, turn(g.dy(), turns, pairing, -1));
  });
}

std::vector<double> rotation_frequencies(double base, std::size_t width) {
  std::vector<double> frequencies;
  for (std::size_t c = 0; c < width / 2; ++c)
    frequencies.push_back(std::pow(base, -2 * static_cast<double>(c) / static_cast<double>(width)));
  return frequencies;
}

void check_even_head_width(const std::string& scheme, std::size_t head_width) {
  check<ConfigError>(head_width % 2 == 0 && head_width > 0,
                     "[{}] head_dim must be even, got {}; choose --width divisible by 2 * --heads",
                     scheme, head_width);
}

}  // namespace phasor::inline PHASOR_PRECISION
