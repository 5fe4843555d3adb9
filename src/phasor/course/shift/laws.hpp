// How well shift matrices keep their laws, measured on what `Evidence` holds.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "phasor/course/claim.hpp"

namespace phasor {

/// Width, position and offsets of the demonstration in D0.
inline constexpr std::size_t kShiftWidth = 64;
inline constexpr std::size_t kShiftFrom = 10;
inline constexpr std::array<int, 5> kShifts = {1, 5, 10, 50, 100};
inline constexpr double kShiftBase = 10000;

/// The laws for one k, each as the largest entry of what should be zero; infinite where the shapes
/// do not fit. `a` is the other offset of the group law.
struct ShiftLaws {
  double shift;        ///< PE(p + k) - M_k PE(p) at p = kShiftFrom
  double orthogonal;   ///< M_k^T M_k - I and M_k M_k^T - I
  double determinant;  ///< det M_k - 1
  double group;        ///< M_a M_k - M_(a + k)
  double inverse;      ///< M_-k - M_k^T and M_-k M_k - I
};
ShiftLaws shift_laws(int k, const Evidence& evidence, int a = 7);

/// The largest error of one law over the offsets kShifts.
double worst_over_shifts(double ShiftLaws::*law, const Evidence& evidence);

/// "PE(p + k) = M_k PE(p)" and so on: one name for each member, in their order.
inline const std::vector<std::string> kLawNames = {
    "PE(p+k) = M_k PE(p)", "M_k^T M_k = I", "det M_k = 1", "M_7 M_k = M_(7+k)", "M_-k = M_k^T"};

/// max |PE(p + k) - M_k PE(p)| over p = 0 .. positions - 1.
double shift_error_over(std::size_t positions, int k, const Evidence& evidence);

/// How sharply M_k finds the position k back. logits(i, j) = (M_-k PE(i)) . PE(j) over
/// `positions` positions.
xt::xarray<double> look_back_logits(int k, std::size_t positions, const Evidence& evidence);

}  // namespace phasor
