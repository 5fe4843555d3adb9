// How strong the directions are that the columns of a table span.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// Singular values, the largest first, and the left singular vectors that belong to them.
struct SingularParts {
  std::vector<double> values;  ///< d of them
  xt::xarray<double> left;     ///< [T, d]; a column of zeros where the value is 0

  /// How many values are above `share` of the largest; none when they are no numbers.
  std::size_t above(double share) const;
};

/// By LAPACK. Values below 1e-15 of the largest are rounding. Everything is NaN when an entry is no
/// finite number.   matrix: [T, d]. Throws ShapeError unless there are two axes.
SingularParts singular_parts(const xt::xarray<double>& matrix);

}  // namespace phasor
