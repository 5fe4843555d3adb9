// One solution. To do the lab, write your own; README.md beside this file says how to begin.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "labs/lab10_longer/exercise.hpp"

xt::xarray<double> inverse_frequencies(Scaling kind, double s, const TrainedRotation& rotation) {
  if (rotation.width == 0 || rotation.width % 2 != 0)
    throw std::invalid_argument("inverse_frequencies: the width must be even and above 0");
  if (kind == Scaling::kNtk && rotation.width == 2)
    throw std::invalid_argument("inverse_frequencies: NTK needs more than one pair");
  const auto width = static_cast<double>(rotation.width);
  const double base =
      kind == Scaling::kNtk ? rotation.base * std::pow(s, width / (width - 2)) : rotation.base;
  auto w = xt::xarray<double>::from_shape({rotation.width / 2});
  for (std::size_t c = 0; c < rotation.width / 2; ++c) {
    w(c) = std::pow(base, -2 * static_cast<double>(c) / width);
    if (kind == Scaling::kInterpolation) w(c) /= s;
    if (kind != Scaling::kYarn) continue;
    const double turns = rotation.length * w(c) / (2 * std::numbers::pi);
    const double kept =
        std::clamp((turns - rotation.alpha) / (rotation.beta - rotation.alpha), 0.0, 1.0);
    w(c) *= kept + (1 - kept) / s;
  }
  return w;
}
