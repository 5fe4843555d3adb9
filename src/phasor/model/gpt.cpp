#include "phasor/model/gpt.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/ops.hpp"
#include "phasor/position/dropped.hpp"
#include "phasor/position/random_positions.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::inline PHASOR_PRECISION {

Gpt::TokenEmbedding::TokenEmbedding(const GptConfig& config, Rng& rng)
    : weight(add_parameter("weight", random_normal({config.vocabulary, config.width}, 0,
                                                   Real(kInitialDeviation), rng))) {}

Gpt::Gpt(const GptConfig& config, Rng& rng) : config_(config) {
  config.validate();
  token_embedding_ = std::make_unique<TokenEmbedding>(config, rng);
  add_part("token_embedding", *token_embedding_);
  shared_scheme_ = make_scheme(config.scheme, config.options, config.sizes(), rng);
  const Traits traits = shared_scheme_->traits();
  if (traits.shared_across_layers)
    add_part("position", *shared_scheme_);
  else
    shared_scheme_.reset();
  scales_embedding_ =
      config.embedding_scale == EmbeddingScale::on ||
      (config.embedding_scale == EmbeddingScale::as_scheme_asks && traits.scales_embedding);
  for (std::size_t layer = 0; layer < config.layers; ++layer) {
    blocks_.push_back(std::make_unique<Block>(config, shared_scheme_.get(), rng));
    add_part(fmt::format("blocks.{}", layer), *blocks_.back());
  }
  norm_ = std::make_unique<Norm>(config.width, config.norm);
  add_part("norm", *norm_);
  if (config.tied) return;
  head_ = std::make_unique<Linear>(config.width, config.vocabulary, Bias::without,
                                   Real(kInitialDeviation), rng);
  add_part("head", *head_);
}

const Scheme& Gpt::scheme() const {
  if (dropped_) return *dropped_;
  return shared_scheme_ ? *shared_scheme_ : blocks_.front()->attention().scheme();
}

Positions Gpt::positions_of(std::size_t tokens) const {
  return config_.random_positions == 0 ? consecutive_positions(tokens)
                                       : spread_positions(tokens, config_.random_positions);
}

bool Gpt::can_drop_positions() const { return dropped_ || scheme().traits().can_be_dropped; }

void Gpt::drop_positions(double temperature) {
  check<ConfigError>(can_drop_positions(),
                     "{} cannot be dropped: only a rotation without parameters leaves a model "
                     "without positions behind; choose one, see phasor schemes",
                     config_.scheme);
  dropped_ = dropped_positions(temperature, static_cast<double>(config_.context));
}

void Gpt::constrain() {
  if (shared_scheme_) shared_scheme_->constrain();
  for (const auto& block : blocks_) block->attention().constrain();
}

Pass Gpt::start(std::size_t tokens, const ForwardOptions& options) const {
  Pass pass;
  pass.dropout_rng = options.dropout_rng;
  pass.cache = options.cache;
  pass.recording = options.recording;
  check<ConfigError>(config_.causal || !options.cache,
                     "a model that sees the future cannot go on token by token: what it cached "
                     "would change; give it all tokens at once");
  if (options.cache) {
    options.cache->layers.resize(blocks_.size());
    pass.keys = options.cache->positions;
  }
  pass.queries = options.positions;
  if (pass.queries.empty())
    pass.queries = pass.keys.empty() ? positions_of(tokens)
                                     : consecutive_positions(tokens, pass.keys.back() + 1);
  pass.instead = dropped_.get();
  check(pass.queries.size() == tokens, "[gpt] {} tokens need as many positions, got {}", tokens,
        pass.queries.size());
  pass.keys.insert(pass.keys.end(), pass.queries.begin(), pass.queries.end());
  return pass;
}

Var Gpt::operator()(const Indices& tokens, const ForwardOptions& options) const {
  check(tokens.dimension() == 2 && tokens.size() > 0,
        "[gpt] tokens must be [B, T] with at least one token, got {}", shape_of(tokens));
  const Pass pass = start(tokens.shape()[1], options);

  Var x = embedding(token_embedding_->weight, tokens);  // [B, T, C]
  if (scales_embedding_)
    x = scale(x, static_cast<Real>(std::sqrt(static_cast<double>(config_.width))));
  x = scheme().embed(x, pass.queries);
  if (pass.dropout_rng) x = dropout(x, static_cast<Real>(config_.dropout), *pass.dropout_rng);
  if (pass.recording) *pass.recording = {};
  for (std::size_t layer = 0; layer < blocks_.size(); ++layer) {
    if (pass.recording) pass.recording->layers.push_back({.stream = x.value()});
    x = (*blocks_[layer])(x, pass, pass.cache ? &pass.cache->layers[layer] : nullptr);
  }
  if (pass.recording) pass.recording->stream = x.value();
  x = (*norm_)(x);
  if (pass.cache) pass.cache->positions = pass.keys;
  return head_ ? (*head_)(x) : linear(x, token_embedding_->weight, {});
}

}  // namespace phasor::inline PHASOR_PRECISION
