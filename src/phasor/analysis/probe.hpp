// A linear probe: how well a number can be read out of vectors by one linear map.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// y = rows weights + bias, fitted by least squares.
struct LinearProbe {
  std::vector<double> weights;  ///< [d]
  double bias = 0;

  /// rows: [N, d] -> N values. Throws ShapeError when the width is another one.
  std::vector<double> read(const xt::xarray<double>& rows) const;
};

/// Minimises  mean (rows w + b - y)^2 + ridge v |w|^2,  v the mean variance of the columns; b is
/// not held back. The ridge only decides where columns say the same twice: with the default it is
/// far below what activations in single precision can tell.   rows: [N, d], N targets. Throws
/// ShapeError when the sizes do not fit or there are no rows.
LinearProbe fit_probe(const xt::xarray<double>& rows, const std::vector<double>& targets,
                      double ridge = 1e-9);

/// Mean of |a - b|. Throws ShapeError when there are not as many of the one as of the other.
double mean_absolute_error(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace phasor
