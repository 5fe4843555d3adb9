// What proves a table of inner products. The lab runs it on what its learner wrote, a test on
// typical mistakes.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "labs/common/check_list.hpp"
#include "labs/lab03_inner_product/golden.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/frequency.hpp"
#include "phasor/course/claim.hpp"

namespace phasor::lab03 {

using DotsByDistance = std::function<xt::xarray<double>(const xt::xarray<double>& pe)>;

// Sums of 128 products, each rounded at 1e-16, of sines whose angles are rounded at 6e-14 at
// position 511: 1e-12 is above all of it, and far below what any mistake does.
inline constexpr double kRounding = 1e-12;
// The same for sums of 8 products at positions below 15.
inline constexpr double kFineRounding = 1e-14;

/// The largest difference; infinite when shapes differ, or one is NaN where the other is not.
inline double difference(const xt::xarray<double>& a, const xt::xarray<double>& b) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (a.shape() != b.shape()) return infinity;
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double x = a.data()[n], y = b.data()[n];
    if (std::isnan(x) != std::isnan(y)) return infinity;
    if (!std::isnan(x)) largest = std::max(largest, std::abs(x - y));
  }
  return largest;
}

/// The largest spread of a row, infinite for the wrong shape or NaN among the pairs.
inline double spread_of_rows(const xt::xarray<double>& dots, std::size_t positions) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (dots.dimension() != 2 || dots.shape(0) != positions || dots.shape(1) != positions)
    return infinity;
  double widest = 0;
  for (std::size_t distance = 0; distance < positions; ++distance)
    for (std::size_t i = 0; i + distance < positions; ++i) {
      const double off = std::abs(dots(distance, i) - dots(distance, 0));
      if (std::isnan(off)) return infinity;
      widest = std::max(widest, off);
    }
  return widest;
}

/// Why there is nothing to prove: for 5 positions not 5 x 5, or NaN where there is a pair. Empty
/// when there is.
inline std::string unusable(const DotsByDistance& dots) {
  xt::xarray<double> found = dots(sinusoid(5, 4));
  if (found.dimension() == 2)
    for (std::size_t distance = 0; distance < found.shape(0); ++distance)
      for (std::size_t i = 5 - std::min<std::size_t>(distance, 5); i < found.shape(1); ++i)
        found(distance, i) = 0;  // there is no pair
  return array_problem("dots_by_distance of 5 positions", found, {5, 5});
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"whole numbers",
     "a distance that is off by one, zeros instead of NaN, rows divided by their length, one pair "
     "standing for all"},
    {"base 50", "the formula of the encoding in place of its rows"},
    {"width 8", "pairs of the wrong rows"},
    {"spread", "pairs of the wrong rows"},
    {"sum of cosines", "pairs of the wrong rows"},
};

/// How far the products are from the sums of cosines, at the most.
inline double off_the_cosines(const xt::xarray<double>& dots, std::size_t width) {
  const std::vector<double> w = frequencies(width, 10000);
  double largest = 0;
  for (std::size_t distance = 0; distance < dots.shape(0); ++distance) {
    const double sum = sum_of_cosines(static_cast<double>(distance), w);
    for (std::size_t i = 0; i + distance < dots.shape(0); ++i)
      largest = larger(largest, std::abs(dots(distance, i) - sum));
  }
  return largest;
}

inline std::vector<ListedCheck> prove(const DotsByDistance& dots) {
  const auto measured = [](const std::function<double()>& measure) {
    return measured_or_infinite(measure);
  };
  const xt::xarray<double> numbers = matrix_of(kGoldenRows, kGoldenRowWidth);
  const std::size_t count = numbers.shape(0);
  const xt::xarray<double> small = sinusoid(15, 8), wide = sinusoid(512, 128);
  return {
      {"5 rows of whole numbers: largest difference from NumPy",
       measured([&] { return difference(dots(numbers), matrix_of(kGoldenDots, count)); }), 0},
      {"width 8, base 50: largest difference from NumPy", measured([&] {
         return difference(dots(sinusoid(kGoldenPositions, 8, kGoldenBase)),
                           matrix_of(kGoldenSinusoid, kGoldenPositions));
       }),
       kFineRounding},
      {"15 positions, width 8: largest spread at one distance",
       measured([&] { return spread_of_rows(dots(small), 15); }), kFineRounding},
      {"512 positions, width 128: largest spread at one distance",
       measured([&] { return spread_of_rows(dots(wide), 512); }), kRounding},
      {"512 positions, width 128: largest difference from the sum of cosines",
       measured([&] { return off_the_cosines(dots(wide), 128); }), kRounding},
  };
}

}  // namespace phasor::lab03
