// Rotary embedding whose length falls with distance.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Pairs are rotated as in rope (interleaved), then pair c of q is multiplied by zeta_c^(p/S), of k
/// by zeta_c^(-p/S), zeta_c = (2c/D + 0.4) / 1.4, so that a product of pairs decays by
/// zeta_c^(rel/S). Sun et al. (2022), arXiv 2212.10554, algorithm 1.
///
/// The paper's S is 512 at a training length of 1024; here S is half the training context unless
/// `scale_base` says otherwise. Exponents are counted from the middle of the positions in sight,
/// which no logit notices and which keeps them small: at most 33, for 0.286^-33 = 1e18, and
/// products of two such powers stay within a float. So the first and the last position in sight may
/// be 66 S apart, which are 66 S + 1 consecutive positions; more are a PositionError. The future
/// would grow instead of decay, so attention must be causal.
SchemeEntry xpos();

}  // namespace phasor::inline PHASOR_PRECISION
