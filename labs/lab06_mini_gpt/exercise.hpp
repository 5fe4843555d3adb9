// What you write in this lab. Your code goes into solution.cpp.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace mini_gpt {

using Array = xt::xarray<double>;

struct NormWeights {
  Array weight, bias;  // [C]
};
struct LinearWeights {
  Array weight, bias;  // [out, in] and [out]
};
struct AttentionWeights {
  LinearWeights query, key, value, output;  // [C, C]
  std::size_t heads;
};
struct MlpWeights {
  LinearWeights up, down;  // [4C, C] and [C, 4C]
};
struct BlockWeights {
  NormWeights norm1;
  AttentionWeights attention;
  NormWeights norm2;
  MlpWeights mlp;
};

/// One block of GPT-2, out of the parts in parts.hpp: layer_norm, attention, mlp.
///
///   y      = x + attention(norm1(x))
///   result = y + mlp(norm2(y))
///
/// x: [T, C], the stream -> [T, C], the stream behind the block. Norms stand before the parts
/// ("pre-norm"), so that the stream itself is only ever added to. Radford et al. (2019).
Array block(const Array& x, const BlockWeights& weights);

/// Learned positions: row positions[t] of the table is added to row t of x.
///
/// x: [T, C], table: [rows, C], T positions -> [T, C]. Throws std::out_of_range when a position has
/// no row: a table has nothing to say of positions that it was not made for. Gehring et al. (2017).
Array add_learned_positions(const Array& x, const Array& table,
                            const std::vector<std::size_t>& positions);

}  // namespace mini_gpt
