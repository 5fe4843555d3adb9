// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <cstddef>

#include "phasor/tensor/xtensor.hpp"

/// How a trained rotation is slowed so that it reaches further than it was trained.
enum class Scaling {
  kInterpolation,  ///< position interpolation, PI
  kNtk,            ///< NTK-aware: another base
  kYarn            ///< a blend of both worlds, pair by pair
};

/// What is known of the rotation before it is slowed.
struct TrainedRotation {
  std::size_t width;   ///< D of a head, even: D/2 pairs
  double base;         ///< B: pair c turns by B^(-2c / D) radians a position
  double length;       ///< L, the tokens in a window of training
  double alpha, beta;  ///< YaRN: a pair that turns alpha times or less within L is slowed by
                       ///< all of s, one that turns beta times or more stays as it is
};

/// Radians per position of every pair, when the rotation is slowed by the factor s >= 1. With
/// w_c = B^(-2c / D), c = 0 .. D/2 - 1:
///
///   kInterpolation   w_c / s
///   kNtk             w_c of the base B s^(D / (D - 2)) instead of B
///   kYarn            w_c (k_c + (1 - k_c) / s), where pair c turns L w_c / (2 pi) times within L
///                    and k_c = (turns - alpha) / (beta - alpha), cut off at 0 and at 1
///
/// Returns [D/2]. Throws std::invalid_argument when D is odd or zero, and for kNtk when D is 2: a
/// single pair cannot both stay and be slowed.
/// Sources: Chen et al. (2023), arXiv 2306.15595, equation 3; Peng et al. (2023), arXiv 2309.00071,
/// equations 16 to 20.
xt::xarray<double> inverse_frequencies(Scaling kind, double s, const TrainedRotation& rotation);
