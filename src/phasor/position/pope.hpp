// Polar coordinate embedding: magnitudes say what, angles say where.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logit = sum over c of softplus(q_c) softplus(k_c) cos(rel theta_c - phase_hc) / sqrt(D),
/// theta_c = base^(-c/D), c = 0 .. D-1: every column is a magnitude of its own with its own
/// frequency, D of them, not D/2. The phase belongs to the keys: their angle is p theta_c + phase.
/// Parameters: phase [H, D], zero at first, kept within -2 pi .. 0 after every update.
/// Gopalakrishnan et al. (2025), arXiv 2509.10534: cos((s - t) theta_c + delta_c) is the same.
///
/// rotate gives q and k as (m cos a, m sin a), twice as wide; the scale stays 1/sqrt(D).
SchemeEntry pope();

}  // namespace phasor::inline PHASOR_PRECISION
