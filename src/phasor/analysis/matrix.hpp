// Small dense matrices in double, for proofs and not for speed.
#pragma once
#include <cstddef>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// a b.   a: [M, K], b: [K, N] -> [M, N], every sum taken from the first term to the last.
/// Throws ShapeError when the shapes do not fit.
xt::xarray<double> product(const xt::xarray<double>& a, const xt::xarray<double>& b);

/// Rows become columns.   [M, N] -> [N, M]. Throws ShapeError unless there are two axes.
xt::xarray<double> transposed(const xt::xarray<double>& matrix);

/// Ones on the diagonal.   [size, size].
xt::xarray<double> identity(std::size_t size);

/// By LU decomposition. Throws ShapeError unless the matrix is square.
double determinant(const xt::xarray<double>& matrix);

/// max |a - b| over all entries. Infinite when the shapes differ or an entry is not a number, so
/// that no bound accepts it.
double largest_difference(const xt::xarray<double>& a, const xt::xarray<double>& b);

}  // namespace phasor
