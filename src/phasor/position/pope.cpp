#include "phasor/position/pope.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phasor/ops/activation.hpp"
#include "phasor/position/rotation.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// x: [B, H, T, D] -> [B, H, T, 2D]: (x cos a, x sin a), a = angles[t, c] + phase[h, c].
///   dx = dy1 cos a + dy2 sin a,  dphase = sum over b and t of x (dy2 cos a - dy1 sin a).
Var polar(const Var& x, const Tensor& angles, const Var& phase) {
  const std::size_t H = x.shape()[1], T = x.shape()[2], D = x.shape()[3];
  const auto for_each = [=](const Tensor& shift, auto&& use) {
    const std::size_t phases = shift.size() / D;  // 1 or H
    for (std::size_t row = 0; row < T * H; ++row)
      for (std::size_t c = 0; c < D; ++c) {
        const std::size_t of_phase = (row / T) % phases * D + c;
        const Real a = angles.data()[row % T * D + c] + shift.data()[of_phase];
        use(row, c, of_phase, std::cos(a), std::sin(a));
      }
  };
  const std::size_t B = x.shape()[0], rows = H * T;
  Tensor y = empty({B, H, T, 2 * D});
  for_each(phase.value(), [&](std::size_t row, std::size_t c, std::size_t, Real cosine, Real sine) {
    for (std::size_t b = 0; b < B; ++b) {
      const Real m = x.value().data()[(b * rows + row) * D + c];
      y.data()[(b * rows + row) * 2 * D + c] = m * cosine;
      y.data()[(b * rows + row) * 2 * D + D + c] = m * sine;
    }
  });
  return Var::op("polar", std::move(y), {x, phase}, [=](const OpGrad& g) {
    for_each(g.input(1), [&](std::size_t row, std::size_t c, std::size_t of_phase, Real cosine,
                             Real sine) {
      for (std::size_t b = 0; b < B; ++b) {
        const std::size_t at = b * rows + row;
        const Real dy1 = g.dy().data()[at * 2 * D + c], dy2 = g.dy().data()[at * 2 * D + D + c];
        if (g.needs(0)) g.into(0).data()[at * D + c] += dy1 * cosine + dy2 * sine;
        if (g.needs(1))
          g.into(1).data()[of_phase] += g.input(0).data()[at * D + c] * (dy2 * cosine - dy1 * sine);
      }
    });
  });
}

class Pope : public RotationScheme {
 public:
  Pope(double base, const SchemeSizes& sizes)
      : frequencies_(rotation_frequencies(base, 2 * sizes.head_width())),
        phase_(add_parameter("phase", zeros({sizes.heads, sizes.head_width()}))) {}

  QK rotate(const Var& q, const Var& k, const Context& context) const override {
    const Var no_phase(zeros({1, frequencies_.size()}));
    return {polar(softplus(q), angles(context.queries), no_phase),
            polar(softplus(k), angles(context.keys), phase_)};
  }

  std::vector<double> frequencies(const Positions&) const override { return frequencies_; }

  void constrain() override {
    for (Real& phase : phase_.mutable_value().storage())
      phase = std::clamp(phase, static_cast<Real>(-2 * std::numbers::pi), Real(0));
  }

  Traits traits() const override {
    Traits traits;
    traits.is_relative = true;
    traits.bias_ignores_content = true;
    traits.parameter_count = phase_.size();
    return traits;
  }

 private:
  /// p theta_c within one turn, [T, D]: taken in double, for a float loses digits far out.
  Tensor angles(const Positions& positions) const {
    const std::size_t D = frequencies_.size();
    Tensor result = empty({positions.size(), D});
    for (std::size_t i = 0; i < result.size(); ++i)
      result.data()[i] = static_cast<Real>(
          std::remainder(positions[i / D] * frequencies_[i % D], 2 * std::numbers::pi));
    return result;
  }

  std::vector<double> frequencies_;
  Var& phase_;
};

}  // namespace

SchemeEntry pope() {
  return {.name = "pope",
          .kind = "rotation",
          .summary = "columns are magnitudes, their angles positions",
          .paper = "Gopalakrishnan et al. 2025, arXiv 2509.10534",
          .equation = "section 3",
          .options = {{"base", NumberOption{10000, 1, 1e12}, "base of the wavelengths"}},
          .make = [](const SchemeSizes& sizes, const Options& options, Rng&) {
            return std::make_unique<Pope>(options.number("base"), sizes);
          }};
}

}  // namespace phasor::inline PHASOR_PRECISION
