// Sinusoids of the distance, projected, with two trained queries.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits = ((q + u_h) . k + (q + v_h) . (W_R R_rel)_h) / sqrt(D).
/// R_rel [C]: all sines, then all cosines of rel w_k, w_k = base^(-2k/C) (the concat layout).
/// Parameters: position.weight [C, C] (W_R; head h is rows hD to (h+1)D), u and v [H, D]; one set
/// for each layer, as the authors' code does with untie_r.
/// Dai et al. (2019), arXiv 1901.02860, section 3.3. There are no segments and no memory here, and
/// what the authors' shift trick leaves above the diagonal does not arise: R is taken at each rel.
SchemeEntry transformer_xl();

}  // namespace phasor::inline PHASOR_PRECISION
