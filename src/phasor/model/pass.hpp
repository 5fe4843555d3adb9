// What one run through the model carries besides the activations.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Keys and values that one layer has already computed, [B, H, S, D]. Keys are stored as they were
/// before `rotate`, so that a scheme whose angles depend on the length sees one consistent length.
struct LayerCache {
  Var keys, values;
  Var inputs;  // of the layer, [B, S, C], for a scheme that reads them
};

/// Keys and values of all layers, for generation token by token.
struct KeyValueCache {
  std::vector<LayerCache> layers;
  Positions positions;  // of the cached tokens
};

/// One forward pass.
struct Pass {
  Positions queries;                // positions of the tokens that come in, [T]
  Positions keys;                   // of those and all cached ones before them, [S]
  const Scheme* instead = nullptr;  // of every layer's scheme; none: each has its own
  Rng* dropout_rng = nullptr;       // none: no dropout
  KeyValueCache* cache = nullptr;   // none: nothing is cached
};

}  // namespace phasor::inline PHASOR_PRECISION
