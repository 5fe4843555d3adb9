// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <vector>

#include "phasor/tensor/xtensor.hpp"

/// Which two columns of a row form pair c, c = 0 .. D/2 - 1.
enum class RopePairing {
  kInterleaved,  ///< 2c and 2c + 1: the paper, Meta's Llama, GPT-J
  kHalf          ///< c and c + D/2: GPT-NeoX, Hugging Face's Llama
};

/// Every pair (x, y) of row t turned by the angle a = positions[t] w_c:
///
///   (x, y) -> (x cos a - y sin a, x sin a + y cos a)      w_c = base^(-2c / D)
///
/// rows: [T, D], queries or keys of one head, row t = 0 .. T - 1; positions: T real numbers, one a
/// row. Returns [T, D].
/// Throws std::invalid_argument when D is odd (a column would be left without a partner) or when
/// there is not one position for each row. Source: Su et al. (2021), equation 34.
xt::xarray<double> apply_rope(const xt::xarray<double>& rows, const std::vector<double>& positions,
                              double base, RopePairing pairing);

/// The gradient of a loss by the rows, given `dy`, [T, D], its gradient by what apply_rope returned
/// for them. The rows themselves are not needed: a rotation is linear. Throws as apply_rope does.
xt::xarray<double> apply_rope_backward(const xt::xarray<double>& dy,
                                       const std::vector<double>& positions, double base,
                                       RopePairing pairing);
