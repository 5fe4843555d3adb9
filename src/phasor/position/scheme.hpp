// What a positional scheme is: four hooks that attention always calls, the identity by default.
#pragma once
#include <memory>
#include <optional>

#include "phasor/nn/module.hpp"
#include "phasor/position/options.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Where each token stands. Real numbers, so that interpolated or random positions, the offset of
/// a cache and memory are inputs, not variants.
using Positions = std::vector<double>;

/// 0, 1, 2, ... `count` of them, from `first`.
inline Positions consecutive_positions(std::size_t count, double first = 0) {
  Positions positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[i] = first + static_cast<double>(i);
  return positions;
}

/// What a scheme is told about the model it is made for.
struct SchemeSizes {
  std::size_t width;    // C, of the residual stream
  std::size_t heads;    // H; the head width D is width / heads
  std::size_t context;  // tokens seen in training
  std::size_t head_width() const { return width / heads; }
};

/// Facts about a scheme at given sizes and options, for tables and tests. Attention reads none.
struct Traits {
  bool is_relative = false;                  // a common shift of all positions changes nothing
  std::optional<std::size_t> max_positions;  // rows of its table; none: any position
  std::optional<std::size_t> max_in_sight;   // consecutive positions in one call; none: any number
  bool shared_across_layers = true;          // one instance for the model, or one for each layer
  bool scales_embedding = false;             // wants token embeddings multiplied by sqrt(C)
  bool bias_ignores_content = false;         // score adds nothing that depends on q or k
  bool causal_only = false;                  // throws ConfigError where attention is not causal
  bool can_be_dropped = false;               // a rotation without parameters (dropped.hpp)
  bool whole_positions = false;              // throws PositionError on a table's missing row
  std::size_t parameter_count = 0;           // trainable numbers in one instance
};

/// What attention tells the hooks.
struct Context {
  const Positions& queries;  // [T]
  const Positions& keys;     // [S]; the last T of them are the queries' own
  Real scale;                // factor on q.k, 1 / sqrt(D)
  bool causal;
  /// What q, k and v were projected from, of all keys: [B, S, C]. Empty unless reads_inputs().
  Var inputs = {};
};

/// A fact about a scheme as it was made, for display: such as the slopes of ALiBi's heads.
struct Fact {
  std::string name;
  std::vector<double> values;
};

struct QK {
  Var q, k;
};

/// Attention computes, for every scheme alike,
///   rotate(q, k) -> scale * q k^T -> mask -> score -> softmax -> weights v -> mix.
/// `rel` = query position - key position everywhere: positive when the key is in the past.
class Scheme : public Module {
 public:
  /// Token embeddings x: [B, T, C] at `positions` [T] -> [B, T, C].
  virtual Var embed(const Var& x, const Positions& positions) const;
  /// q: [B, H, T, D], k: [B, H, S, D] -> the same shapes, or both with another D.
  virtual QK rotate(const Var& q, const Var& k, const Context& context) const;
  /// logits: [B, H, T, S], scaled and masked (with -1e30); q and k as rotate left them.
  virtual Var score(const Var& logits, const Var& q, const Var& k, const Context& context) const;
  /// out: [B, H, T, D] = weights v, weights: [B, H, T, S].
  virtual Var mix(const Var& out, const Var& weights, const Context& context) const;

  /// What score adds to the logits, where that is known without them and mix is the identity:
  /// an empty Var for nothing, [H, T, S], or [H, S] by distance (ops/attention.hpp). Attention then
  /// computes no logit that is hidden and never holds all weights at once. None, the default:
  /// score and mix have to be called.
  virtual std::optional<Var> added_bias(const Context&) const { return std::nullopt; }

  /// Whether the hooks read Context::inputs, which attention then caches beside keys and values.
  virtual bool reads_inputs() const { return false; }
  /// Called after every update of the parameters: brings them back into their range.
  virtual void constrain() {}

  virtual Traits traits() const = 0;
  virtual std::vector<Fact> facts() const { return {}; }
};

/// A scheme that only adds a bias which does not depend on content.
class BiasScheme : public Scheme {
 public:
  /// What is added to the logits: [H, T, S].
  virtual Var bias(const Context& context) const = 0;
  Var score(const Var& logits, const Var& q, const Var& k, const Context& context) const final;
  std::optional<Var> added_bias(const Context& context) const override { return bias(context); }
};

/// One row of the table of schemes.
struct SchemeEntry {
  std::string name;
  std::string kind;     // how position enters: none, additive, rotation, bias, relative, content
  std::string summary;  // one line
  std::string paper;
  std::string equation;
  std::vector<OptionSpec> options;
  /// Throws ConfigError when the sizes do not suit the scheme.
  std::function<std::unique_ptr<Scheme>(const SchemeSizes&, const Options&, Rng&)> make;
};

}  // namespace phasor::inline PHASOR_PRECISION
