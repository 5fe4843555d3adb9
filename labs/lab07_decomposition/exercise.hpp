// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include "phasor/tensor/xtensor.hpp"

/// The four terms of an attention score, each [T, T]: a row for every query, a column for every
/// key. The first word is the query's part, the second the key's.
struct FourTerms {
  xt::xarray<double> content_content, content_position, position_content, position_position;
};

/// Takes the scores (x_i + p_i) wq . (x_j + p_j) wk / sqrt(D) apart:
///
///   content_content(i, j)   = (x_i wq) . (x_j wk) / sqrt(D)
///   content_position(i, j)  = (x_i wq) . (p_j wk) / sqrt(D)
///   position_content(i, j)  = (p_i wq) . (x_j wk) / sqrt(D)
///   position_position(i, j) = (p_i wq) . (p_j wk) / sqrt(D)
///
/// x: [T, C], what tokens give; p: [T, C], what positions give; wq, wk: [C, D], the projections to
/// queries and keys of one head. The product is bilinear, so the four sum to the score.
FourTerms decompose(const xt::xarray<double>& x, const xt::xarray<double>& p,
                    const xt::xarray<double>& wq, const xt::xarray<double>& wk);
