// What proves an encoding. The lab runs it on what its learner wrote, a test on typical mistakes.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "labs/common/check_list.hpp"
#include "labs/lab01_sinusoid/golden.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/course/sinusoid/printed_tables.hpp"

namespace phasor::lab01 {

// Two correct programs may round the frequency differently. At the positions and widths used here
// that moves a value by less than 100 units in the last place of 1, 2e-14; 1e-12 leaves room and is
// far below what any mistake in the formula does.
inline constexpr double kRounding = 1e-12;

template <std::size_t T, std::size_t D>
xt::xarray<double> printed(const std::array<std::array<double, D>, T>& table) {
  return matrix_of({table[0].data(), T * D}, D);
}

/// Whether there is something to prove: 4 x 8 finite numbers.
inline bool is_usable(const Encoder& encode) { return is_finite_matrix(encode(4, 8, 10000), 4, 8); }

inline std::vector<ListedCheck> prove(const Encoder& encode) {
  const xt::xarray<double> pe = encode(512, 128, 10000);
  double norm_error = 0, size = 0;
  for (const double norm : norms(pe)) norm_error = larger(norm_error, std::abs(norm - 8));
  for (const double value : pe) size = larger(size, std::abs(value));
  return {
      {"width 8, base 50: largest difference from NumPy",
       largest_difference(encode(kGoldenPositions, 8, kGoldenBase), matrix_of(kGoldenWidth8, 8)),
       kRounding},
      {"width 12, base 50: largest difference from NumPy",
       largest_difference(encode(kGoldenPositions, 12, kGoldenBase), matrix_of(kGoldenWidth12, 12)),
       kRounding},
      {"an odd width is refused (0) or accepted (1)", accepted([&] { encode(4, 7, 10000); }), 0},
      // Half a unit of the last printed digit, and a little for the ties of single precision.
      {"4 x 8 table: largest difference from a printed one with two decimals",
       largest_difference(encode(4, 8, 10000), printed(kPrintedWidth8)), 0.005 + 1e-6},
      {"5 x 4 table: largest difference from a printed one with four decimals",
       largest_difference(encode(5, 4, 10000), printed(kPrintedWidth4)), 0.00005 + 1e-6},
      {"512 positions, width 128: largest |norm - sqrt(d/2)|", norm_error, kRounding},
      {"512 positions, width 128: how far the largest value is above 1", std::max(size - 1, 0.0),
       0},
  };
}

}  // namespace phasor::lab01
