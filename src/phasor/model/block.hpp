// One layer of the model.
#pragma once
#include "phasor/model/attention.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Pre-norm GPT-2 block: x + attention(norm1(x)), then x + mlp(norm2(x)). Radford et al. (2019).
class Block : public Module {
 public:
  Block(const GptConfig& config, const Scheme* shared, Rng& rng);
  /// [B, T, C] -> [B, T, C].
  Var operator()(const Var& x, const Pass& pass, LayerCache* cache) const;
  const Attention& attention() const { return attention_; }
  Attention& attention() { return attention_; }

 private:
  Real dropout_;
  Norm norm1_;
  Attention attention_;
  Norm norm2_;
  Mlp mlp_;
};

}  // namespace phasor::inline PHASOR_PRECISION
