// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

/// Attention: every query takes the average of the values, weighted by how well it fits their keys.
///
///   weights = softmax(Q K^T / sqrt(D)) along each row, over the keys that the mask shows
///   result  = weights V
///
///   Q: [T, D], K: [S, D], V: [S, E] -> [T, E]
///   mask: [T, S], 1 where a query sees a key and 0 where not; each row has a 1 somewhere
///
/// A hidden key has weight 0. Source: Vaswani et al. (2017), equation 1.
xt::xarray<double> attention(const xt::xarray<double>& Q, const xt::xarray<double>& K,
                             const xt::xarray<double>& V, const xt::xarray<double>& mask);

/// The rows in another order: row i of the result is row order[i] of x.
///   x: [T, D], order: each of 0 .. T - 1 once -> [T, D]
xt::xarray<double> permute(const xt::xarray<double>& x, const std::vector<std::size_t>& order);
