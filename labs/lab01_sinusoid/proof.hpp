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

/// Why there is nothing to prove: not 4 x 8 finite numbers. Empty when there is.
inline std::string unusable(const Encoder& encode) {
  return array_problem("sinusoidal_pe(4, 8, 10000)", encode(4, 8, 10000), {4, 8});
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"NumPy",
     "a base or a width that was typed in, an exponent k/d instead of 2k/d, integer "
     "division, sines and cosines in two halves instead of in pairs"},
    {"odd width", "a refusal that is missing"},
    {"printed", "the same mistakes, on numbers you can check by hand"},
    {"norm", "a pair whose sine and cosine have different frequencies"},
    {"above 1", "a factor too many"},
};

inline std::vector<ListedCheck> prove(const Encoder& encode) {
  const xt::xarray<double> pe = encode(512, 128, 10000);
  double norm_error = 0, size = 0;
  for (const double norm : norms(pe)) norm_error = larger(norm_error, std::abs(norm - 8));
  for (const double value : pe) size = larger(size, std::abs(value));
  const auto table = [&](const char* what, std::size_t positions, double base,
                         const xt::xarray<double>& wanted, double tolerance) {
    return comparison(
        what, [&] { return encode(positions, wanted.shape(1), base); }, wanted, tolerance);
  };
  return {
      table("width 8, base 50: largest difference from NumPy", kGoldenPositions, kGoldenBase,
            matrix_of(kGoldenWidth8, 8), kRounding),
      table("width 12, base 50: largest difference from NumPy", kGoldenPositions, kGoldenBase,
            matrix_of(kGoldenWidth12, 12), kRounding),
      refusal("an odd width is refused", [&] { encode(4, 7, 10000); }),
      // Half a unit of the last printed digit, and a little for the ties of single precision.
      table("4 x 8 table: largest difference from a printed one with two decimals", 4, 10000,
            printed(kPrintedWidth8), 0.005 + 1e-6),
      table("5 x 4 table: largest difference from a printed one with four decimals", 5, 10000,
            printed(kPrintedWidth4), 0.00005 + 1e-6),
      {"512 positions, width 128: largest |norm - sqrt(d/2)|", norm_error, kRounding},
      {"512 positions, width 128: how far the largest value is above 1", std::max(size - 1, 0.0),
       0},
  };
}

}  // namespace phasor::lab01
