// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <cstddef>
#include <string>

#include "phasor/tensor/xtensor.hpp"

/// The angle of pair k at position p in an encoding of d columns, in radians, under one of six
/// designs. With w = 10000^(-2k / d):
///
///   "real"     p w                  "square"   p^2 w
///   "linear"   p (k + 1) / (d/2)    "log"      ln(1 + p) w
///   "one"      p                    "inverse"  w / (1 + p)
///
/// The lab puts the sine of it into column 2k and the cosine into column 2k + 1. Throws
/// std::invalid_argument for any other design. Source of "real": Vaswani et al. (2017),
/// section 3.5.
double angles(const std::string& design, std::size_t p, std::size_t k, std::size_t d);

/// The fixed matrix M that comes nearest to PE(p + k) = M PE(p) for all p at once: the one for
/// which the sum over p of |PE(p + k) - M PE(p)|^2 is least. Rows of `pe` are positions.
///
/// pe: [T, d] with T above k -> [d, d]. Where several do equally well, any of them.
xt::xarray<double> fit_shift(const xt::xarray<double>& pe, std::size_t k);
