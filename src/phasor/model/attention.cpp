#include "phasor/model/attention.hpp"

#include <cmath>

#include "phasor/ops/ops.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Large enough that the weight underflows to zero, finite so that no gradient turns into NaN.
constexpr Real kMasked = Real(-1e30);

/// [T, S], true where a key is in a query's future.
Mask future(std::size_t T, std::size_t S) {
  Mask hidden = Mask::from_shape({T, S});
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < S; ++s) hidden(t, s) = s > S - T + t;
  return hidden;
}

}  // namespace

Real residual_deviation(std::size_t layers) {
  return static_cast<Real>(kInitialDeviation / std::sqrt(2.0 * static_cast<double>(layers)));
}

Attention::Attention(const GptConfig& config, const Scheme* shared, Rng& rng)
    : heads_(config.heads),
      scale_(static_cast<Real>(1 / std::sqrt(static_cast<double>(config.width / config.heads)))),
      dropout_(static_cast<Real>(config.dropout)),
      causal_(config.causal),
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
  const Context context{pass.queries, pass.keys, scale_, causal_, inputs};
  const QK rotated = scheme.rotate(q, k, context);
  const bool drops = pass.dropout_rng && dropout_ > 0;  // weights, one by one
  const std::optional<Var> bias =
      drops || pass.recording ? std::nullopt : scheme.added_bias(context);
  const Var mixed =
      bias ? attention(rotated.q, rotated.k, v, *bias, {.scale = scale_, .causal = causal_})
           : step_by_step(rotated, v, scheme, context, pass);
  if (pass.recording) pass.recording->layers.back().inputs = x.value();
  return output_(merge_heads(mixed));  // [B, H, T, D] -> [B, T, C]
}

Var Attention::step_by_step(const QK& rotated, const Var& v, const Scheme& scheme,
                            const Context& context, const Pass& pass) const {
  const std::size_t T = context.queries.size(), S = context.keys.size();
  Var logits =
      matmul(rotated.q, rotated.k, {.transpose_b = true, .scale = scale_});  // [B, H, T, S]
  if (causal_ && T > 1) logits = masked_fill(logits, future(T, S), kMasked);
  logits = scheme.score(logits, rotated.q, rotated.k, context);
  Var weights = softmax(logits);
  if (pass.dropout_rng) weights = dropout(weights, dropout_, *pass.dropout_rng);
  const Var mixed = scheme.mix(matmul(weights, v), weights, context);  // [B, H, T, D]
  if (pass.recording) {
    LayerRecord& record = pass.recording->layers.back();
    record.queries = rotated.q.value();
    record.keys = rotated.k.value();
    record.values = v.value();
    record.logits = logits.value();
    record.weights = weights.value();
    record.mixed = mixed.value();
  }
  return mixed;
}

}  // namespace phasor::inline PHASOR_PRECISION
