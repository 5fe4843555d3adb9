// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <cstddef>

#include "phasor/tensor/xtensor.hpp"

/// The sinusoidal encoding, one row a position, one column a dimension.
///
///   PE(p, 2k)     = sin(p w_k)
///   PE(p, 2k + 1) = cos(p w_k)      w_k = base^(-2k / width),   k = 0 .. width/2 - 1
///
/// Returns [positions, width]. Throws std::invalid_argument when width is odd: a sine would be left
/// without its cosine. Source: Vaswani et al. (2017), section 3.5.
xt::xarray<double> sinusoidal_pe(std::size_t positions, std::size_t width, double base);
