// The Mini-GPT: a small GPT-2 whose positional scheme is chosen by name.
#pragma once
#include "phasor/model/block.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct ForwardOptions {
  /// Where the tokens stand; empty: right after the cached ones, without a cache at positions_of().
  Positions positions = {};
  /// For dropout in training; null in evaluation.
  Rng* dropout_rng = nullptr;
  /// Read and extended; null: everything is computed anew.
  KeyValueCache* cache = nullptr;
  /// Filled anew with what the pass computes; null: nothing is kept.
  Recording* recording = nullptr;
};

/// tokens -> embedding (times sqrt(C) where the scheme asks for it) -> scheme.embed -> blocks ->
/// norm -> head. Parameters, in order:
///   token_embedding.weight [V, C], position.* (a scheme that all layers share),
///   blocks.N.{norm1, attention.{query, key, value, output, position}, norm2, mlp.{up, down}}.*,
///   norm.*, head.weight [V, C] (absent when tied to the token embedding).
class Gpt : public Module {
 public:
  /// Weights are drawn from `rng` as GPT-2's are. Throws ConfigError.
  Gpt(const GptConfig& config, Rng& rng);

  /// tokens: [B, T] in [0, V) -> logits [B, T, V].
  /// Throws ShapeError, DataError (a token outside the vocabulary), PositionError (the scheme).
  Var operator()(const Indices& tokens, const ForwardOptions& options = {}) const;

  /// Brings the schemes' parameters back into their range, after an update.
  void constrain();

  /// Where the tokens of a text stand: 0, 1, 2, ..., or spread over the range of random positions.
  /// Throws PositionError when they are more than that.
  Positions positions_of(std::size_t tokens) const;

  /// Whether the scheme is a rotation without parameters, which can be taken away.
  bool can_drop_positions() const;
  /// Puts dropped_positions (dropped.hpp) in the place of the scheme.
  void drop_positions(double temperature = 0);
  bool has_dropped_positions() const { return dropped_ != nullptr; }

  const GptConfig& config() const { return config_; }
  /// The scheme that embeds, which is the first layer's where each layer has its own.
  const Scheme& scheme() const;

 private:
  /// A table of token vectors, a part of its own for the sake of its parameter's name.
  struct TokenEmbedding : Module {
    TokenEmbedding(const GptConfig& config, Rng& rng);
    Var& weight;
  };
  Pass start(std::size_t tokens, const ForwardOptions& options) const;

  GptConfig config_;
  bool scales_embedding_ = false;
  std::unique_ptr<TokenEmbedding> token_embedding_;
  std::unique_ptr<Scheme> shared_scheme_;  // null where each layer has its own
  std::unique_ptr<Scheme> dropped_;        // in place of all schemes, once they were dropped
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<Norm> norm_;
  std::unique_ptr<Linear> head_;  // null where it is tied
};

}  // namespace phasor::inline PHASOR_PRECISION
