// What you write in this lab: a positional scheme of your own. Your code goes into solution.cpp.
//
//   logit(query, key) = R(query) q . R(key) k / sqrt(D) + my_bias(parameters, head, query - key)
//
// R(p) turns every pair of columns of q and of k by my_angle. Leave out what you do not need: an
// angle of 0 turns nothing, a bias of 0 adds nothing, and parameters of shape [heads, 0] are none.
#pragma once
#include <cstddef>
#include <string>

#include "phasor/tensor/xtensor.hpp"

/// Your idea in one line, for the tables.
std::string my_idea();

/// Whether a common shift of all positions changes nothing. It is so when angles grow in
/// proportion to the position; the lab holds you to what you say.
bool my_scheme_is_relative();

/// The numbers that training may change, as they are at first, a row for each head.
/// Returns [heads, N].
xt::xarray<double> my_parameters(std::size_t heads);

/// What is added to the logit of a key that stands `distance` >= 0 positions before its query;
/// 0 is the token itself.   parameters: [heads, N]
double my_bias(const xt::xarray<double>& parameters, std::size_t head, double distance);

/// d my_bias / d parameters(head, i) for i = 0 .. N-1.   Returns [N].
xt::xarray<double> my_bias_slopes(const xt::xarray<double>& parameters, std::size_t head,
                                  double distance);

/// By how many radians pair `pair` of `pairs` is turned at `position`.
double my_angle(std::size_t pair, std::size_t pairs, double position);
