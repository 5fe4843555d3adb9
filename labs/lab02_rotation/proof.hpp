// What proves a shift matrix. The lab runs it on what its learner wrote, a test on typical
// mistakes.
#pragma once
#include <fmt/format.h>

#include <vector>

#include "labs/common/check_list.hpp"
#include "labs/lab02_rotation/golden.hpp"
#include "phasor/course/shift/laws.hpp"

namespace phasor::lab02 {

// Angles stay below 1100 here, where a double is known to 1.2e-13; sums of up to 64 products add a
// few roundings of 1e-16. A mistake in the formula is off by a hundredth or more.
inline constexpr double kRounding = 1e-12;

/// Why there is nothing to prove: not 8 x 8 finite numbers. Empty when there is.
inline std::string unusable(const ShiftMatrix& shift) {
  return array_problem("shift_matrix(3, 8, 50)", shift(3, 8, kGoldenBase), {8, 8});
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"odd width", "a refusal that is missing"},
    {"NumPy", "a base that was typed in, an exponent c/d, blocks at the wrong place"},
    {"M_k PE(p)", "the two sines exchanged: a turn the wrong way round"},
    {"M_5", "a matrix that fits one position only"},
    {"orthogonal", "a stretch; a reflection, which is orthogonal too"},
    {"determinant", "a stretch; a reflection, which is orthogonal too"},
    {"M_", "an angle that does not grow in proportion to k"},
};

inline std::vector<ListedCheck> prove(const ShiftMatrix& shift) {
  const Evidence evidence = {.shift = shift};
  const auto over_k = [](const char* what) { return fmt::format("{}, k = 1 5 10 50 100", what); };
  return {
      refusal("an odd width is refused", [&] { shift(1, 7, kShiftBase); }),
      comparison(
          "k = 3, width 8, base 50: largest difference from NumPy",
          [&] { return shift(3, 8, kGoldenBase); }, matrix_of(kGoldenShift8, 8), kRounding),
      comparison(
          "k = -7, width 12, base 50: largest difference from NumPy",
          [&] { return shift(-7, 12, kGoldenBase); }, matrix_of(kGoldenShift12, 12), kRounding),
      {over_k("PE(p + k) = M_k PE(p), width 64, p = 10"),
       worst_over_shifts(&ShiftLaws::shift, evidence), kRounding},
      {"the same M_5 for every p from 0 to 999", shift_error_over(1000, 5, evidence), kRounding},
      {over_k("M_k is orthogonal"), worst_over_shifts(&ShiftLaws::orthogonal, evidence), kRounding},
      {over_k("its determinant is 1"), worst_over_shifts(&ShiftLaws::determinant, evidence),
       kRounding},
      comparison(
          "M_0 is the identity", [&] { return shift(0, kShiftWidth, kShiftBase); },
          identity(kShiftWidth), kRounding),
      {over_k("M_7 M_k = M_(7 + k)"), worst_over_shifts(&ShiftLaws::group, evidence), kRounding},
      {over_k("M_-k is the transpose and the inverse of M_k"),
       worst_over_shifts(&ShiftLaws::inverse, evidence), kRounding},
  };
}

}  // namespace phasor::lab02
