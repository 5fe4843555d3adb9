// The parts a block is made of, given. Plain loops, to be read beside the formulas.
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "labs/lab06_mini_gpt/exercise.hpp"

namespace mini_gpt {

/// (x - mean) / sqrt(variance + 1e-5) * weight + bias, for every row.   x: [T, C] -> [T, C].
inline Array layer_norm(const Array& x, const NormWeights& w) {
  const std::size_t T = x.shape(0), C = x.shape(1);
  auto y = Array::from_shape({T, C});
  for (std::size_t t = 0; t < T; ++t) {
    double mean = 0, variance = 0;
    for (std::size_t c = 0; c < C; ++c) mean += x(t, c) / static_cast<double>(C);
    for (std::size_t c = 0; c < C; ++c)
      variance += (x(t, c) - mean) * (x(t, c) - mean) / static_cast<double>(C);
    for (std::size_t c = 0; c < C; ++c)
      y(t, c) = (x(t, c) - mean) / std::sqrt(variance + 1e-5) * w.weight(c) + w.bias(c);
  }
  return y;
}

/// x weight^T + bias.   x: [T, in] -> [T, out].
inline Array linear(const Array& x, const LinearWeights& w) {
  const std::size_t T = x.shape(0), out = w.weight.shape(0), in = w.weight.shape(1);
  auto y = Array::from_shape({T, out});
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t o = 0; o < out; ++o) {
      y(t, o) = w.bias(o);
      for (std::size_t i = 0; i < in; ++i) y(t, o) += x(t, i) * w.weight(o, i);
    }
  return y;
}

/// Causal attention: for every head, softmax(q k^T / sqrt(D)) v over the tokens up to the query;
/// the heads beside one another through the output projection.   x: [T, C] -> [T, C].
inline Array attention(const Array& x, const AttentionWeights& w) {
  const Array q = linear(x, w.query), k = linear(x, w.key), v = linear(x, w.value);
  const std::size_t T = x.shape(0), D = x.shape(1) / w.heads;
  Array mixed = xt::zeros<double>({T, x.shape(1)});
  for (std::size_t h = 0; h < w.heads; ++h)
    for (std::size_t t = 0; t < T; ++t) {
      std::vector<double> weight(t + 1, 0.0);
      double sum = 0;
      for (std::size_t s = 0; s <= t; ++s) {
        for (std::size_t d = h * D; d < (h + 1) * D; ++d) weight[s] += q(t, d) * k(s, d);
        weight[s] = std::exp(weight[s] / std::sqrt(static_cast<double>(D)));
        sum += weight[s];
      }
      for (std::size_t s = 0; s <= t; ++s)
        for (std::size_t d = h * D; d < (h + 1) * D; ++d) mixed(t, d) += weight[s] / sum * v(s, d);
    }
  return linear(mixed, w.output);
}

/// down(gelu(up(x))), gelu(z) = z/2 (1 + tanh(sqrt(2/pi) (z + 0.044715 z^3))).   [T, C] -> [T, C].
inline Array mlp(const Array& x, const MlpWeights& w) {
  Array hidden = linear(x, w.up);
  for (double& z : hidden)
    z = z / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (z + 0.044715 * z * z * z)));
  return linear(hidden, w.down);
}

}  // namespace mini_gpt
