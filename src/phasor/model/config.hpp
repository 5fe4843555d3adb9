// Everything that decides what a Mini-GPT is, before it is trained.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "phasor/nn/mlp.hpp"
#include "phasor/nn/norm.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Whether token embeddings are multiplied by sqrt(width).
enum class EmbeddingScale { as_scheme_asks, on, off };

struct GptConfig {
  std::size_t vocabulary = 0;
  std::size_t width = 64;
  std::size_t heads = 4;
  std::size_t layers = 2;
  std::size_t context = 64;
  std::size_t mlp_ratio = 4;  // the MLP's hidden width, in units of `width`
  double dropout = 0;
  bool causal = true;  // no token sees those after it; only such a model can predict the next one
  NormKind norm = NormKind::layer;
  Activation activation = Activation::gelu_tanh;
  bool tied = false;  // the head shares the token embedding's weights
  EmbeddingScale embedding_scale = EmbeddingScale::as_scheme_asks;
  std::string scheme = default_scheme();
  OptionValues options;  // of the scheme
  /// Tokens stand at random positions below this (random_positions.hpp); 0: at 0, 1, 2, ...
  std::size_t random_positions = 0;

  /// For the scheme, the context is how far positions reach in training.
  SchemeSizes sizes() const {
    return {width, heads, random_positions == 0 ? context : random_positions};
  }
  /// Throws ConfigError on extents that are zero or do not divide.
  void validate() const;
};

/// The words used on the command line and in config.json. Throw ConfigError on an unknown word.
NormKind parse_norm(const std::string& word);
Activation parse_activation(const std::string& word);
EmbeddingScale parse_embedding_scale(const std::string& word);

nlohmann::json to_json(const GptConfig& config);
/// Throws CheckpointError unless it is a whole number from 0 on: the JSON library would convert.
std::size_t count_from_json(const nlohmann::json& json);
/// Fields that are missing keep their default. Throws CheckpointError on a field of another type.
GptConfig config_from_json(const nlohmann::json& json);

}  // namespace phasor::inline PHASOR_PRECISION
