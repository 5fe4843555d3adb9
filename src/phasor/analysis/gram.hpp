// Whether the columns of an encoding are a basis.
#pragma once
#include <cstddef>
#include <xtensor/xarray.hpp>

#include "phasor/analysis/design.hpp"

namespace phasor {

/// Cosine of the angle between every two columns.   columns: [T, d] -> [d, d], ones on the
/// diagonal; off it all zeros when the columns are orthogonal. A column of zeros has cosine 0 with
/// the others. Throws ShapeError unless there are two axes.
xt::xarray<double> column_cosines(const xt::xarray<double>& columns);

/// The sum of columns that comes nearest to an impulse: 1 in row `place`, 0 in all others.
/// columns: [T, d] -> [T]. Throws ShapeError when there is no such row.
xt::xarray<double> rebuilt_impulse(const xt::xarray<double>& columns, std::size_t place);

/// What can be said of columns as a basis for functions of T positions.
struct Frame {
  double largest_cosine;  ///< off the diagonal of column_cosines; 0 for an orthogonal set
  std::size_t rank;       ///< columns that are no combination of the others, to within 1e-13
  double impulse_energy;  ///< share of the energy of an impulse in the middle that they rebuild
};
Frame frame_of(const xt::xarray<double>& columns);

/// The angles of Fourier's sinusoids on `positions` positions: 2 pi (k + 1) p / positions. With
/// them the columns of `encoding_of` are orthogonal as long as width is below positions.
AngleFunction fourier_angle(std::size_t positions);

}  // namespace phasor
