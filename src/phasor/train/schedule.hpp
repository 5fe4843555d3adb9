// The learning rate over the course of training.
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>

namespace phasor {

/// Warm-up and cosine: for step = 0 .. steps - 1,
///   step < warmup:  peak (step + 1) / warmup
///   otherwise:      least + (peak - least) (1 + cos(pi (step - warmup) / (steps - warmup))) / 2.
/// Loshchilov and Hutter (2016), arXiv 1608.03983, equation 5, after a linear warm-up.
struct Schedule {
  double peak, least;
  std::size_t warmup, steps;

  double at(std::size_t step) const {
    if (step < warmup) return peak * static_cast<double>(step + 1) / static_cast<double>(warmup);
    if (step >= steps) return least;
    const double way = static_cast<double>(step - warmup) / static_cast<double>(steps - warmup);
    return least + (peak - least) * 0.5 * (1 + std::cos(std::numbers::pi * way));
  }
};

}  // namespace phasor
