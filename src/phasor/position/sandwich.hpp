// The sinusoidal dot product as a bias.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits + sum over k < W/2 of cos(rel w_k), divided by 8h/H for head h = 1 .. H;
/// w_k = base^(-2k/W). The sum is PE(m) . PE(n) of sinusoidal encodings of width W, which is 128
/// whatever the model's width. No parameters.
/// Chi et al. (2023), arXiv 2212.10356, section 5 and the code of its appendix.
SchemeEntry sandwich();

}  // namespace phasor::inline PHASOR_PRECISION
