// The table of op_cases.hpp, continued: attention; and its equal, made of the ops that it stands
// for.
#pragma once
#include "phasor/ops/attention.hpp"
#include "tests/ops/op_cases.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// The bias: none, [H, T, S], [H, S], or of one head for all.
enum class Added { nothing, by_pair, by_distance, one_by_pair, one_by_distance };

struct AttentionShape {
  std::size_t B, H, T, S, D, E;
  bool causal;
  Added added;

  /// Those of q, k, v and, where there is one, the bias.
  std::vector<Shape> inputs() const {
    std::vector<Shape> shapes{{B, H, T, D}, {B, H, S, D}, {B, H, S, E}};
    if (added == Added::by_pair) shapes.push_back({H, T, S});
    if (added == Added::by_distance) shapes.push_back({H, S});
    if (added == Added::one_by_pair) shapes.push_back({1, T, S});
    if (added == Added::one_by_distance) shapes.push_back({1, S});
    return shapes;
  }
  AttentionOptions options() const {
    return {.scale = 1 / std::sqrt(static_cast<Real>(D)), .causal = causal};
  }
  std::string name() const {
    const char* bias[] = {"", ", bias by pair", ", bias by distance", ", one head's bias by pair",
                          ", one head's bias by distance"};
    return fmt::format("B {} H {} T {} S {} D {} E {}{}{}", B, H, T, S, D, E,
                       causal ? ", causal" : "", bias[static_cast<int>(added)]);
  }
};

inline OpCases attention_cases() {
  using enum Added;
  // All kinds of bias and of masking, fewer queries than keys, values wider and narrower than keys;
  // then more queries than one block of 64 takes, and more keys than queries in its last block.
  const AttentionShape shapes[] = {
      {1, 2, 3, 3, 2, 2, true, nothing},       {2, 2, 3, 5, 3, 2, true, nothing},
      {2, 2, 3, 5, 2, 4, false, nothing},      {2, 2, 4, 3, 2, 2, false, by_pair},
      {2, 2, 3, 5, 2, 3, true, by_pair},       {2, 3, 3, 5, 3, 2, true, by_distance},
      {2, 2, 4, 4, 2, 2, true, by_distance},   {1, 2, 1, 4, 2, 3, true, by_distance},
      {1, 1, 1, 1, 1, 1, true, nothing},       {1, 1, 67, 67, 1, 2, true, nothing},
      {1, 1, 67, 70, 1, 1, true, by_distance}, {1, 1, 35, 35, 2, 2, false, by_pair},
      {2, 3, 3, 4, 2, 2, true, one_by_pair},   {2, 3, 3, 4, 2, 2, true, one_by_distance},
      {1, 1, 2, 258, 1, 1, true, by_distance}};  // so many keys that weights are not kept
  OpCases cases;
  for (const AttentionShape& shape : shapes)
    cases.push_back({"attention", shape.name(),
                     [options = shape.options()](const Inputs& in) {
                       return attention(in[0], in[1], in[2], in.size() > 3 ? in[3] : Var(),
                                        options);
                     },
                     tensors(shape.inputs())});
  cases.push_back({"attention", "one tensor as q, k and v", of_one([](const Var& x) {
                     return attention(x, x, x, Var(), {.scale = Real(0.7)});
                   }),
                   tensors({{2, 2, 3, 2}})});
  cases.push_back({"attention", "one tensor as q and bias", of_two([](const Var& x, const Var& y) {
                     return attention(x, y, y, reshape(x, {2, 3, 3}), {});
                   }),
                   tensors({{1, 2, 3, 3}, {1, 2, 3, 3}})});
  return cases;
}

/// [H, S] by distance, as [H, T, S]: that of key s before query t, anything where it is hidden.
inline Var spread(const Var& by_distance, std::size_t T) {
  const std::size_t S = by_distance.shape()[1];
  Indices place = Indices::from_shape({T, S});
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < S; ++s)
      place(t, s) = static_cast<std::int64_t>(std::min(T - 1 - t + s, S - 1));
  return transpose(embedding(transpose(by_distance, {1, 0}), place), {2, 0, 1});
}

/// What attention computes, one op after the other.
inline Var attention_step_by_step(const Var& q, const Var& k, const Var& v, const Var& bias,
                                  const AttentionOptions& options) {
  const std::size_t T = q.shape()[2], S = k.shape()[2];
  Var logits = matmul(q, k, {.transpose_b = true, .scale = options.scale});
  if (bias) logits = add(logits, bias.rank() == 2 ? spread(bias, T) : bias);
  if (options.causal) {
    Mask future = Mask::from_shape({T, S});
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t s = 0; s < S; ++s) future(t, s) = s > S - T + t;
    logits = masked_fill(logits, future, Real(-1e30));
  }
  return matmul(softmax(logits), v);
}

}  // namespace phasor::inline PHASOR_PRECISION
