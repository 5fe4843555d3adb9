// Small models for tests: all extents differ, weights large enough that each of them matters.
#pragma once
#include "phasor/model/gpt.hpp"
#include "phasor/position/schemes.hpp"
#include "tests/nn/parameter_gradcheck.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// V = 11, C = 12, H = 3, D = 4, two layers, hidden width 24, context 8.
inline GptConfig tiny_config(const std::string& scheme) {
  GptConfig config;
  config.vocabulary = 11;
  config.width = 12;
  config.heads = 3;
  config.layers = 2;
  config.context = 8;
  config.mlp_ratio = 2;
  config.scheme = scheme;
  return config;
}

inline std::unique_ptr<Gpt> initial_model(const GptConfig& config, std::uint64_t seed = 1) {
  Rng rng(seed, "weights");
  return std::make_unique<Gpt>(config, rng);
}

/// With GPT-2's small initial weights all logits are nearly equal; these are spread out.
inline std::unique_ptr<Gpt> lively_model(const GptConfig& config) {
  auto model = initial_model(config);
  nudge(*model, 0.3);
  return model;
}

/// Random tokens [B, T] in [0, vocabulary).
inline Indices random_tokens(std::size_t B, std::size_t T, std::size_t vocabulary,
                             std::uint64_t seed = 1) {
  Rng rng(seed, "tokens");
  Indices tokens = Indices::from_shape({B, T});
  for (auto& token : tokens) token = static_cast<std::int64_t>(rng.below(vocabulary));
  return tokens;
}

/// Columns first .. last - 1 of [B, T].
inline Indices columns(const Indices& tokens, std::size_t first, std::size_t last) {
  Indices result = Indices::from_shape({tokens.shape()[0], last - first});
  for (std::size_t b = 0; b < tokens.shape()[0]; ++b)
    for (std::size_t t = first; t < last; ++t) result(b, t - first) = tokens(b, t);
  return result;
}

}  // namespace phasor::inline PHASOR_PRECISION
