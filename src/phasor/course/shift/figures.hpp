// Figures of shift matrices, measured on `evidence`.
#pragma once
#include <cstddef>

#include "phasor/course/claim.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor {

/// M_5 and M_100, an encoding moved by 5, and to how many digits the five laws hold.
Figure shift_matrix_figure(const Evidence& evidence);

/// By which angle pairs turn: against where the step starts, and against its length.
Figure turns_figure(const Evidence& evidence);

/// |PE(p + k) - M_k PE(p)| against k in single and in double precision; bands over the starting
/// positions 1 .. starts, at least 10 of them, lines at p = 10.
Figure shift_error_figure(const Evidence& evidence, std::size_t starts = 100);

/// Attention that looks two positions back with one fixed matrix.
Figure look_back_figure(const Evidence& evidence);

}  // namespace phasor
