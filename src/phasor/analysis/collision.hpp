// Positions that an encoding hardly tells apart.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// Two rows and the Euclidean distance between them.
struct RowPair {
  std::size_t first, second;
  double distance;
};

/// The two rows, at least `apart` places from each other, that are nearest. All pairs are tried.
/// rows: [T, d]. Throws ShapeError when there is no such pair.
RowPair nearest_pair(const xt::xarray<double>& rows, std::size_t apart = 1);

/// The row nearest to row 0, itself left out. Where the distance of two rows depends on the
/// difference of their positions alone this is the nearest pair of all, at a fraction of the work.
RowPair nearest_to_first(const xt::xarray<double>& rows);

/// For every row the distance of the nearest other row.   rows: [T, d] -> T values.
std::vector<double> nearest_distances(const xt::xarray<double>& rows);

}  // namespace phasor
