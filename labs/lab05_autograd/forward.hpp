// The forward functions whose backward you write, in double precision.
#pragma once
#include <cstddef>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor::lab05 {

using Array = xt::xarray<double>;
/// Numbers of rows or of classes, one for each token.
using Rows = std::vector<std::size_t>;

inline constexpr double kEpsilon = 1e-5;  // of layer norm

/// exp(x) / sum(exp(x)) over each row.   x: [N, C] -> [N, C].
Array softmax(const Array& x);
/// (x - mean) / sqrt(variance + kEpsilon) * weight + bias over each row.
/// x: [N, C], weight, bias: [C] -> [N, C].
Array layer_norm(const Array& x, const Array& weight, const Array& bias);
/// table[rows[n]] for every n.   table: [V, C] -> [N, C].
Array embedding(const Array& table, const Rows& rows);
/// Mean over rows of log(sum(exp(logits))) - logits[target], in nats.   logits: [N, V].
double cross_entropy(const Array& logits, const Rows& targets);

}  // namespace phasor::lab05
