// Sines and cosines added to the token embeddings.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// PE(p, 2k) = sin(p w_k), PE(p, 2k+1) = cos(p w_k), w_k = base^(-2k/C), k = 0 .. C/2 - 1.
/// Vaswani et al. (2017), arXiv 1706.03762, section 3.5.
///
/// Layouts: `interleaved` (the paper: sine and cosine side by side) and `concat` (tensor2tensor,
/// Transformer-XL: all sines, then all cosines), a permutation of the columns.
/// Token embeddings are to be multiplied by sqrt(C) first (section 3.4 of the paper): the norm of
/// an encoding is sqrt(C/2), 35 times that of a token vector drawn with deviation 0.02.
///
/// combine `concatenate` gives the token the first half of the columns and an encoding of width C/2
/// the other half, in place of the sum; what the token's vector has there is not read. Nothing is
/// added then that the token would have to stand up to, and the paper's factor belongs to its sum:
/// the scheme does not ask for sqrt(C). `--embedding-scale on` multiplies by it all the same.
SchemeEntry sinusoidal();

}  // namespace phasor::inline PHASOR_PRECISION
