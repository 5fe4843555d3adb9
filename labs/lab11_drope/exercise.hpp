// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "phasor/tensor/xtensor.hpp"

/// A trained model as DroPE sees it: numbers that were learned, and a rotation that was not.
struct RotatedModel {
  std::map<std::string, xt::xarray<double>> weights;  ///< by path, as in model.safetensors
  /// [positions, pairs]: pair c of a query or key at position p is turned to
  /// (x cosine(p, c) - y sine(p, c), x sine(p, c) + y cosine(p, c)).
  xt::xarray<double> cosine, sine;
};

/// Trains `start` for so many steps on windows of `length` tokens, with the rotation that `start`
/// has, and returns what came of it. The lab hands one in.
using Training =
    std::function<RotatedModel(const RotatedModel& start, std::size_t length, std::size_t steps)>;

/// DroPE: takes the rotation out of a trained model and lets the rest get used to it.
///
///   1. cosine = 1 and sine = 0 at every position, which turns nothing. Every weight stays as it
///   is.
///   2. Train that model for `steps` steps, on windows of the length it was trained on.
///   3. Return what the training returned.
///
/// `trained` itself is not changed. Source: Gelberg et al. (2025), section 4.
RotatedModel drop_and_recalibrate(const RotatedModel& trained, std::size_t trained_length,
                                  std::size_t steps, const Training& train);

/// What logits are multiplied by in a window of `length` tokens, so that attention stays sharp
/// among more keys:  1 + c ln(length / trained_length), and 1 up to the trained length.
double logit_temperature(double c, double length, double trained_length);
