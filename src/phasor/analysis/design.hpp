// Ways to turn a position into angles, the sinusoidal encoding's among them: what a choice in
// sin(p base^(-2k / d)) is good for shows when it is replaced by another.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// The angle of pair k at position p, in radians, in an encoding of `width` columns.
using AngleFunction = std::function<double(std::size_t p, std::size_t k, std::size_t width)>;

struct Design {
  std::string name;     ///< "real"
  std::string formula;  ///< of the angle, with w for base^(-2k / width): "p w"
  std::function<double(double p, std::size_t k, std::size_t width, double base)> angle;

  /// Its angles with one base.
  AngleFunction with(double base = 10000) const;
};

/// In this order:
///   real    p w                 the position times a geometric progression of frequencies
///   linear  p (k + 1) / (d/2)   frequencies in equal steps up to 1
///   one     p                   nothing is divided: one frequency for all pairs
///   square  p^2 w               the position is not linear
///   log     ln(1 + p) w         nor here; 1 + p because positions begin at 0
///   inverse w / (1 + p)         the position in the denominator
const std::vector<Design>& designs();

/// Throws ConfigError with the names there are.
const Design& design_named(const std::string& name);

/// Column 2k is the sine of the angle of pair k, column 2k + 1 its cosine.   -> [positions, width]
/// Throws ConfigError when width is odd or zero.
xt::xarray<double> encoding_of(const AngleFunction& angle, std::size_t positions,
                               std::size_t width);

/// Every second column, from column 0: what is left of pairs without their cosines.
/// rows: [T, d] -> [T, d / 2]. Throws ShapeError unless rows has two axes and d is even.
xt::xarray<double> sines_of(const xt::xarray<double>& rows);

}  // namespace phasor
