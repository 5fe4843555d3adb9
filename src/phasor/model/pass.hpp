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

/// What one layer computed, for those who look inside.
struct LayerRecord {
  Tensor stream = {};              // what the block was given, [B, T, C]
  Tensor inputs = {};              // of attention: the stream after the first norm, [B, T, C]
  Tensor queries = {}, keys = {};  // as `rotate` left them, [B, H, T, D] and [B, H, S, D]
  Tensor values = {};              // [B, H, S, D]
  Tensor logits = {};              // what softmax was given: scaled, masked (-1e30), scored
  Tensor weights = {};             // what it gave, [B, H, T, S] as the logits; rows sum to 1
  Tensor mixed = {};               // weights values, then `mix`, [B, H, T, D]
};

/// What a pass computed on its way, layer by layer. A pass that is recorded goes through every hook
/// in its turn (Attention::step_by_step), so that what is recorded is what its result was made of.
struct Recording {
  std::vector<LayerRecord> layers;
  Tensor stream;  // behind the last block, before the last norm, [B, T, C]
};

/// One forward pass.
struct Pass {
  Positions queries;                // positions of the tokens that come in, [T]
  Positions keys;                   // of those and all cached ones before them, [S]
  const Scheme* instead = nullptr;  // of every layer's scheme; none: each has its own
  Rng* dropout_rng = nullptr;       // none: no dropout
  KeyValueCache* cache = nullptr;   // none: nothing is cached
  Recording* recording = nullptr;   // none: nothing is recorded; its last layer is the current one
};

}  // namespace phasor::inline PHASOR_PRECISION
