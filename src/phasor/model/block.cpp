#include "phasor/model/block.hpp"

#include "phasor/ops/dropout.hpp"
#include "phasor/ops/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {

Block::Block(const GptConfig& config, const Scheme* shared, Rng& rng)
    : dropout_(static_cast<Real>(config.dropout)),
      norm1_(config.width, config.norm),
      attention_(config, shared, rng),
      norm2_(config.width, config.norm),
      mlp_(config.width, config.mlp_ratio * config.width, config.activation,
           Real(kInitialDeviation), residual_deviation(config.layers), rng) {
  add_part("norm1", norm1_);
  add_part("attention", attention_);
  add_part("norm2", norm2_);
  add_part("mlp", mlp_);
}

Var Block::operator()(const Var& x, const Pass& pass, LayerCache* cache) const {
  const auto dropped = [&](const Var& y) {
    return pass.dropout_rng ? dropout(y, dropout_, *pass.dropout_rng) : y;
  };
  const Var attended = x + dropped(attention_(norm1_(x), pass, cache));
  return attended + dropped(mlp_(norm2_(attended)));
}

}  // namespace phasor::inline PHASOR_PRECISION
