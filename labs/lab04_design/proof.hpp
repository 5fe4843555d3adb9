// What proves the angles and the fit. The lab runs it on what its learner wrote, a test on typical
// mistakes.
#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "labs/common/check_list.hpp"
#include "labs/lab04_design/golden.hpp"
#include "phasor/analysis/design.hpp"
#include "phasor/analysis/least_squares.hpp"

namespace phasor::lab04 {

using Angles =
    std::function<double(const std::string& design, std::size_t p, std::size_t k, std::size_t d)>;
using FitShift = std::function<xt::xarray<double>(const xt::xarray<double>& pe, std::size_t k)>;

// Angles of up to 49 are rounded at 7e-15; a few roundings more for powers and logarithms.
inline constexpr double kAngleRounding = 1e-12;
// What a fit leaves of an exact shift is 1e-14; solving the normal equations instead squares the
// condition of the table, 2300 at width 8, and may leave 1e-11.
inline constexpr double kExact = 1e-9;
// Two ways to solve the same well-conditioned problem agree to about 1e-13.
inline constexpr double kSameFit = 1e-9;

inline constexpr std::array<const char*, 6> kDesigns = {"real",   "linear", "one",
                                                        "square", "log",    "inverse"};

inline AngleFunction named(const Angles& angles, const std::string& design) {
  return [angles, design](std::size_t p, std::size_t k, std::size_t d) {
    return angles(design, p, k, d);
  };
}

inline xt::xarray<double> table_of(const Angles& angles, const std::string& design,
                                   std::size_t positions, std::size_t width) {
  return encoding_of(named(angles, design), positions, width);
}

/// Why there is nothing to prove: no finite angle, no 4 x 4 array of finite numbers. Empty when
/// there is.
inline std::string unusable(const Angles& angles) {
  const double angle = angles("real", 1, 0, 8);
  return std::isfinite(angle) ? "" : fmt::format("angles(\"real\", 1, 0, 8) is {}", angle);
}
inline std::string unusable(const FitShift& fit) {
  return array_problem("fit_shift of a 12 x 4 table",
                       fit(encoding_of(design_named("real").with(), 12, 4), 1), {4, 4});
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"unknown design", "a name that falls through to another design"},
    {"moves", "the transpose, the inverse, rows that are off by one"},
    {"A A", "the transpose, the inverse, rows that are off by one"},
    {"one pair", "a fit to some of the rows only"},
    {"four pairs", "a fit that loses its digits"},
    {"NumPy",
     "integer division, k / d in place of 2k / d, steps that begin at 0, the logarithm of 0"},
};

/// What the fitted matrix leaves of the shift; infinite when it has the wrong shape or is no
/// number.
inline double residual_of(const FitShift& fit, const xt::xarray<double>& pe, std::size_t k) {
  return measured_or_infinite([&] {
    const double left = shift_residual(pe, fit(pe, k), k);
    return std::isfinite(left) ? left : std::numeric_limits<double>::infinity();
  });
}

/// The largest difference of a design's angles from NumPy's, over all positions, pairs and widths.
inline double angle_error(const Angles& angles, std::size_t design) {
  double largest = 0;
  std::size_t n = design * kGoldenAngles.size() / kDesigns.size();
  for (const std::size_t width : kGoldenWidths)
    for (const std::size_t p : kGoldenPlaces)
      for (std::size_t k = 0; k < width / 2; ++k) {
        const double angle = angles(kDesigns[design], p, k, width);
        largest = larger(largest, std::abs(angle - kGoldenAngles[n++]));
      }
  return largest;
}

/// Rows x(t + 1) = A x(t) with an A that is neither symmetric nor a rotation, so that the transpose
/// and the inverse are wrong.
inline xt::xarray<double> moved_by_a() { return matrix_of(kGoldenSteps, 3); }

inline std::vector<ListedCheck> prove_angles(const Angles& angles) {
  std::vector<ListedCheck> checks = {
      refusal("an unknown design is refused", [&] { angles("cubic", 1, 0, 8); })};
  for (std::size_t n = 0; n < kDesigns.size(); ++n)
    checks.push_back({std::string("\"") + kDesigns[n] + "\": largest difference from NumPy",
                      measured_or_infinite([&] { return angle_error(angles, n); }),
                      kAngleRounding});
  return checks;
}

inline std::vector<ListedCheck> prove_fit(const FitShift& fit) {
  return {comparison(
              "rows that a matrix A moves, k = 1: largest difference from A",
              [&] { return fit(moved_by_a(), 1); }, matrix_of(kGoldenStep, 3), kSameFit),
          comparison(
              "the same, k = 2: from A A", [&] { return fit(moved_by_a(), 2); },
              matrix_of(kGoldenTwoSteps, 3), kSameFit)};
}

/// One pair of columns, 128 positions, 5 positions on, for every design.
inline std::vector<ListedCheck> prove_residuals(const Angles& angles, const FitShift& fit) {
  std::vector<ListedCheck> checks;
  for (std::size_t n = 0; n < kDesigns.size(); ++n) {
    const bool exact = kGoldenResiduals[n] == 0;
    checks.push_back({std::string("\"") + kDesigns[n] + "\", one pair: " +
                          (exact ? "nothing is left" : "as much is left as NumPy finds"),
                      measured_or_infinite([&] {
                        return residual_of(fit, table_of(angles, kDesigns[n], 128, 2), 5);
                      }),
                      exact ? kExact : kSameFit, kGoldenResiduals[n]});
  }
  checks.push_back({"\"real\", four pairs: nothing is left", measured_or_infinite([&] {
                      return residual_of(fit, table_of(angles, "real", 128, 8), 5);
                    }),
                    kExact});
  return checks;
}

}  // namespace phasor::lab04
