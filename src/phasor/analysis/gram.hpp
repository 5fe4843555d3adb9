// Whether the columns of an encoding are a basis.
#pragma once
#include <cstddef>

#include "phasor/analysis/design.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// Cosine of the angle between every two columns.   columns: [T, d] -> [d, d], ones on the
/// diagonal; off it all zeros when the columns are orthogonal. A column of zeros has cosine 0 with
/// the others. Throws ShapeError unless there are two axes.
xt::xarray<double> column_cosines(const xt::xarray<double>& columns);

/// A direction in which columns reach less than this share of their longest is not counted: to use
/// it, numbers a hundred times as large would have to cancel.
inline constexpr double kWeak = 0.01;

/// The sum of columns that comes nearest to an impulse, 1 in row `place` and 0 in all others, made
/// of the directions whose singular value is above kWeak of the largest.
/// columns: [T, d] -> [T]. Throws ShapeError when there is no such row.
xt::xarray<double> rebuilt_impulse(const xt::xarray<double>& columns, std::size_t place);

/// What can be said of columns as a basis for functions of T positions.
struct Frame {
  double largest_cosine;   ///< off the diagonal of column_cosines; 0 for an orthogonal set
  std::size_t directions;  ///< singular values above kWeak of the largest
  double impulse_energy;   ///< share of the energy of an impulse in the middle that these rebuild
};
Frame frame_of(const xt::xarray<double>& columns);

/// The angles of Fourier's sinusoids on `positions` positions: 2 pi (k + 1) p / positions. With
/// them the columns of `encoding_of` are orthogonal as long as width is below positions.
AngleFunction fourier_angle(std::size_t positions);

}  // namespace phasor
