// How well one fixed matrix explains a table of numbers.
#pragma once
#include <cstddef>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// The best matrix in the sense of least squares, and what it leaves.
struct LinearFit {
  xt::xarray<double> matrix;  ///< [e, d], so that target(p) = matrix row(p), nearly
  double residual;            ///< |targets - rows matrix^T| / |targets|, Euclidean lengths
  std::size_t rank;           ///< how many columns of the rows are no combination of the others
};

/// The matrix M that makes |targets - rows M^T| least.   rows: [T, d], targets: [T, e].
/// Columns are made orthogonal one by one, the longest that is left first (Gram-Schmidt with column
/// pivoting, each done twice; Golub and Van Loan, Matrix Computations, section 5.4). A column of
/// which less than 1e-13 of the longest is left counts as a combination of the others, and its
/// entries in M are 0. Throws ShapeError when the shapes do not fit.
LinearFit linear_fit(const xt::xarray<double>& rows, const xt::xarray<double>& targets);

/// The fixed matrix that best moves every row k places on: row(p + k) = M row(p).   rows: [T, d].
/// Throws ShapeError unless k is less than T.
LinearFit shift_fit(const xt::xarray<double>& rows, std::size_t k);

/// What `matrix` leaves of that: |row(p + k) - matrix row(p)| / |row(p + k)|, all p together.
/// rows: [T, d], matrix: [d, d]. Throws ShapeError when the shapes do not fit.
double shift_residual(const xt::xarray<double>& rows, const xt::xarray<double>& matrix,
                      std::size_t k);

}  // namespace phasor
