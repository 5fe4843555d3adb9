// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <cstddef>

#include "phasor/tensor/xtensor.hpp"

/// The matrix that moves the sinusoidal encoding by k positions: PE(p + k) = M_k PE(p), for every
/// p.
///
/// It is zero but for one 2 x 2 block on the diagonal for every pair c = 0 .. d/2 - 1:
///
///   (  cos(k w_c)  sin(k w_c) )
///   ( -sin(k w_c)  cos(k w_c) )      w_c = base^(-2c / d)
///
/// in rows and columns 2c and 2c + 1. k may be negative. Returns [d, d]. Throws
/// std::invalid_argument when d is odd. Source: Vaswani et al. (2017), section 3.5.
xt::xarray<double> shift_matrix(double k, std::size_t d, double base);
