// The frequencies of the sinusoidal encoding.
#pragma once
#include <cstddef>
#include <vector>

namespace phasor {

/// w_k = base^(-2k / width) for k = 0 .. width/2 - 1, in radians per position: the geometric
/// progression of Vaswani et al. (2017), section 3.5. The first is always 1.
/// Throws ConfigError when width is odd or zero, or base is not above 0.
std::vector<double> frequencies(std::size_t width, double base);

/// 2 pi / w_k, in positions: how far apart two positions are that look the same to pair k.
/// The longest is 2 pi base^((width - 2) / width), short of 2 pi base at every finite width.
std::vector<double> wavelengths(std::size_t width, double base);

}  // namespace phasor
