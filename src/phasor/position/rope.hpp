// Rotary position embedding.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Pair c of every query and key is turned by the angle p * base^(-2c/R), c = 0 .. R/2 - 1:
///   (x, y) -> (x cos - y sin, x sin + y cos),
/// so that q.k depends on positions only through rel. R = D, or the first `fraction` of the head
/// width D (GPT-NeoX: 0.25); the rest of a head stays as it is, and values are never rotated.
/// Su et al. (2021), arXiv 2104.09864, equation 34.
///
/// Pairings: `interleaved` pairs columns 2c and 2c+1 (the paper, Meta's Llama, GPT-J), `half`
/// pairs c and c + R/2 (GPT-NeoX, Hugging Face's Llama). They are equal up to a fixed permutation
/// of the columns of each head, and weights trained with one give nonsense with the other.
///
/// Scalings that reach beyond the trained length: rope_scaling.hpp. All angles are taken anew from
/// unrotated keys, so that a cache never mixes two scalings.
SchemeEntry rope();

}  // namespace phasor::inline PHASOR_PRECISION
