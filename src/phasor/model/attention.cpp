#include "phasor/model/attention.hpp"

#include <cmath>

#include "phasor/ops/ops.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Large enough that the weight underflows to zero, finite so that no gradient turns into NaN.
constexpr Real kMasked = Real(-1e30);

}  // namespace

Real residual_deviation(std::size_t layers) {
  return static_cast<Real>(kInitialDeviation / std::sqrt(2.0 * static_cast<double>(layers)));
}

Attention::Attention(const GptConfig& config, const Scheme* shared, Rng& rng)
    : heads_(config.heads),
      scale_(static_cast<Real>(1 / std::sqrt(static_cast<double>(config.width / config.heads)))),
      dropout_(static_cast<Real>(config.dropout)),
      query_(config.width, config.width, Bias::with, Real(kInitialDeviation), rng),
      key_(config.width, config.width, Bias::with, Real(kInitialDeviation), rng),
      value_(config.width, config.width, Bias::with, Real(kInitialDeviation), rng),
      output_(config.width, config.width, Bias::with, residual_deviation(config.layers), rng),
      scheme_(shared) {
  add_part("query", query_);
  add_part("key", key_);
  add_part("value", value_);
  add_part("output", output_);
  if (shared) return;
  own_scheme_ = make_scheme(config.scheme, config.options, config.sizes(), rng);
  add_part("position", *own_scheme_);
  scheme_ = own_scheme_.get();
}

Var Attention::operator()(const Var& x, const Pass& pass, LayerCache* cache) const {
  Var q = split_heads(query_(x), heads_);  // [B, H, T, D]
  Var k = split_heads(key_(x), heads_);
  Var v = split_heads(value_(x), heads_);
  const Scheme& scheme = pass.instead ? *pass.instead : *scheme_;
  Var inputs = scheme.reads_inputs() ? x : Var();  // [B, S, C]
  if (cache) {
    if (cache->inputs) inputs = concatenate({cache->inputs, inputs}, 1);
    if (cache->keys) {
      k = concatenate({cache->keys, k}, 2);  // [B, H, S, D]
      v = concatenate({cache->values, v}, 2);
    }
    *cache = {k, v, inputs};
  }
  const Context context{pass.queries, pass.keys, scale_, true, inputs};
  const QK rotated = scheme.rotate(q, k, context);
  Var logits =
      matmul(rotated.q, rotated.k, {.transpose_b = true, .scale = scale_});  // [B, H, T, S]
  if (pass.queries.size() > 1) logits = masked_fill(logits, pass.hidden, kMasked);
  logits = scheme.score(logits, rotated.q, rotated.k, context);
  Var weights = softmax(logits);
  if (pass.dropout_rng) weights = dropout(weights, dropout_, *pass.dropout_rng);
  const Var mixed = scheme.mix(matmul(weights, v), weights, context);  // [B, H, T, D]
  return output_(merge_heads(mixed));
}

}  // namespace phasor::inline PHASOR_PRECISION
