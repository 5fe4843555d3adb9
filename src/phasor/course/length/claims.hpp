// What follows from how losses grow with length: the verdicts of the claims of lab 10.
#pragma once
#include "phasor/course/length/measures.hpp"

namespace phasor {

/// Whether every length has positions, and whether the loss is steady there too.
Finding reach_of_formula(const LengthCurve& curve);
/// `refused_at`: tokens in the shortest window that the learned table refuses; 0: none.
Finding end_of_table(std::size_t trained, std::size_t refused_at);
Finding unseen_lengths(std::size_t trained, std::size_t refused_at, const LengthCurve& sinusoidal);
/// Whether the loss is steady up to the longest windows measured.
Finding steadiness(const LengthCurve& curve);
/// Whether `better` has the lower loss at every length, and the smaller increase too: a scheme that
/// starts low can rise more and still be the better one.
Finding carries_over_better(const LengthCurve& better, const LengthCurve& worse);
/// Whether one of the scaled rotations is steady at 4 and at 8 times the training length, or is at
/// 4 times after a little training there, and lower by more than noise than the plain rotation,
/// which has the same training. `tuned`: losses at 4 times, the plain rotation's first.
Finding reach_of_scaling(const LengthCurve& plain, const std::vector<LengthCurve>& scaled,
                         const std::vector<LengthCurve>& tuned);
/// Whether `chosen` has the lowest loss in the longest windows.
Finding best_at_the_end(const LengthCurve& chosen, const std::vector<LengthCurve>& others);
/// `norms`: of the encoding's vectors at position 0, 1, 2, ...
Finding stability(const std::vector<double>& norms, const LengthCurve& curve);

}  // namespace phasor
