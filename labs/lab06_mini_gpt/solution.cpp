// One solution. To do the lab, write your own; README.md beside this file says how to begin.
#include <stdexcept>

#include "labs/lab06_mini_gpt/exercise.hpp"
#include "labs/lab06_mini_gpt/parts.hpp"

namespace mini_gpt {

Array block(const Array& x, const BlockWeights& weights) {
  const Array y = x + attention(layer_norm(x, weights.norm1), weights.attention);
  return y + mlp(layer_norm(y, weights.norm2), weights.mlp);
}

Array add_learned_positions(const Array& x, const Array& table,
                            const std::vector<std::size_t>& positions) {
  Array result = x;
  for (std::size_t t = 0; t < positions.size(); ++t) {
    if (positions[t] >= table.shape(0))
      throw std::out_of_range("add_learned_positions: no row for this position");
    for (std::size_t c = 0; c < x.shape(1); ++c) result(t, c) += table(positions[t], c);
  }
  return result;
}

}  // namespace mini_gpt
