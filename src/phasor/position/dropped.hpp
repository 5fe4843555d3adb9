// What is left of a rotation when it is dropped during training.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// All hooks are the identity, which is a rotation with cos = 1 and sin = 0; but where more
/// positions than the trained length L are in sight, l of them, queries are multiplied by 1 +
/// temperature * ln(l / L), so that attention stays as sharp among more keys. Gelberg et al.
/// (2025), DroPE: train with a rotation, drop it, recalibrate at the same length.
std::unique_ptr<Scheme> dropped_positions(double temperature, double trained_length);

}  // namespace phasor::inline PHASOR_PRECISION
