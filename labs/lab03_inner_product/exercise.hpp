// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include "phasor/tensor/xtensor.hpp"

/// The inner products of all pairs of rows, sorted by how far apart the two are.
///
///   result(D, i) = sum over c of pe(i, c) pe(i + D, c)      for i + D < T
///                = NaN                                      where there is no row i + D
///
/// pe: [T, d], one row a position -> [T, T], one row a distance, one column a first position.
/// Source: the squared length |PE(i) - PE(j)|^2 = |PE(i)|^2 + |PE(j)|^2 - 2 PE(i) . PE(j) is the
/// only other thing two rows have to say of each other.
xt::xarray<double> dots_by_distance(const xt::xarray<double>& pe);
