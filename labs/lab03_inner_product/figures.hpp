// The figures of lab 03 that no document has: the fall of the product, and what a matrix between
// two encodings does to it.
#pragma once
#include <cstdint>
#include <vector>

#include "phasor/figure/figure.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor::lab03 {

/// One encoding's inner products with position 0, as shares of the one at distance 0.
struct Fall {
  std::size_t width;
  std::vector<double> shares;  ///< of distance 0, 1, 2 ...
};

/// The falls over distance, on a logarithmic axis, with the law of phasor/analysis/decay.hpp.
Figure decay_figure(const std::vector<Fall>& falls, double base);

/// PE(p) . A PE(q) over q - p for two positions p: with nothing between, with the rotation by two
/// positions, and with a matrix of random numbers.   pe: [T, d], T at least 57, sinusoidal, base
/// 10000. The random numbers are those of `seed`.
Figure between_figure(const xt::xarray<double>& pe, std::uint64_t seed);

}  // namespace phasor::lab03
