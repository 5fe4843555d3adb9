// Maps of scores: a row for every query, a column for every key.
#pragma once
#include <cstddef>

#include "phasor/core/rng.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// queries: [T, D], keys: [S, D] -> [T, S], the dot product of every query with every key.
/// Throws ShapeError when the widths differ.
xt::xarray<double> score_map(const xt::xarray<double>& queries, const xt::xarray<double>& keys);

/// How far a map is from depending on row - column alone: the largest difference between two values
/// of the same diagonal. Values that are NaN do not count.   map: [T, S].
/// Throws ShapeError unless map has two axes.
double spread_on_diagonals(const xt::xarray<double>& map);

/// The same, as a share of the largest |value| of the map; 0 when all of it is 0.
double relative_spread_on_diagonals(const xt::xarray<double>& map);

/// [count, width] independent normal numbers, drawn row by row.
xt::xarray<double> normal_rows(std::size_t count, std::size_t width, double deviation, Rng& rng);

/// Row `row` of `rows`, `count` times: one content at every position.   -> [count, D].
/// Throws ShapeError when there is no such row.
xt::xarray<double> repeated_row(const xt::xarray<double>& rows, std::size_t row, std::size_t count);

}  // namespace phasor
