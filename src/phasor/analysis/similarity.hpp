// How alike the rows of an encoding are. All of it in double: some of what is measured here is
// a difference in the last digits.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// Cosine of the angle between every two rows.   rows: [T, d] -> [T, T], ones on the diagonal.
/// Throws ShapeError unless rows has two axes, DataError when a row is zero (it has no direction).
xt::xarray<double> cosine_similarity(const xt::xarray<double>& rows);

/// Euclidean length of every row.   rows: [T, d] -> T values.
std::vector<double> norms(const xt::xarray<double>& rows);

/// Euclidean distance of every row from row `origin`.   rows: [T, d] -> T values.
/// Throws ShapeError when there is no such row.
std::vector<double> distances_from(const xt::xarray<double>& rows, std::size_t origin = 0);

/// Dot product of every row with row `origin`.   rows: [T, d] -> T values.
/// For the sinusoidal encoding: sum over k of cos((p - origin) w_k).
std::vector<double> dots_from(const xt::xarray<double>& rows, std::size_t origin = 0);

/// row(i) . row(i + distance) for every i that has such a partner.   rows: [T, d] -> T - distance
/// values, all equal when the encoding makes the product a function of distance alone.
std::vector<double> dots_at_distance(const xt::xarray<double>& rows, std::size_t distance);

/// rows(p, column) for every p.   rows: [T, d] -> T values. Throws ShapeError when there is no such
/// column.
std::vector<double> column_of(const xt::xarray<double>& rows, std::size_t column);

/// In how many of the values.size() - 1 steps the next value is the larger one.
std::size_t steps_up(const std::vector<double>& values);

}  // namespace phasor
