// The matrices that move the sinusoidal encoding along: PE(p + k) = M_k PE(p).
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// M_k, [width, width]: zero but for one rotation on the diagonal for every pair c of dimensions,
///
///   (  cos(k w_c)  sin(k w_c) )
///   ( -sin(k w_c)  cos(k w_c) )      w_c = base^(-2c / width)
///
/// so that PE(p + k) = M_k PE(p), PE(p) taken as a column with the sine above its cosine. k may be
/// negative, and need not be whole. Throws ConfigError when width is odd or zero.
/// Vaswani et al. (2017), section 3.5; the angle-addition formulas.
xt::xarray<double> sinusoidal_shift(double k, std::size_t width, double base = 10000);

/// matrix row(p) for every row, as rows again.   rows: [T, d], matrix: [d, d] -> [T, d].
xt::xarray<double> moved(const xt::xarray<double>& rows, const xt::xarray<double>& matrix);

/// |PE(p + k) - M_k PE(p)|, the Euclidean length, with frequencies, angles, sines, products and
/// sums all in single precision.
double shift_error_in_float(double p, double k, std::size_t width, double base = 10000);
/// The same for each pair of dimensions: width / 2 values.
std::vector<double> shift_errors_by_pair_in_float(double p, double k, std::size_t width,
                                                  double base = 10000);
/// The whole length in double precision.
double shift_error_in_double(double p, double k, std::size_t width, double base = 10000);

/// By which angle each pair of dimensions turns from row `from` to row `to`, in [0, 2 pi): the
/// angle of (sine, cosine) grows with the position.   rows: [T, d] -> d / 2 values.
/// Throws ShapeError when there is no such row or d is odd.
std::vector<double> turns_between(const xt::xarray<double>& rows, std::size_t from, std::size_t to);

/// How far apart two angles are on the circle, in [0, pi].
double angle_between(double a, double b);

}  // namespace phasor
