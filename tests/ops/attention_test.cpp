// Attention in blocks of queries against the same made of single ops, and what only it promises.
#include "phasor/ops/attention.hpp"

#include <malloc.h>

#include <algorithm>

#include "tests/core/expect_error.hpp"
#include "tests/ops/attention_cases.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using AttentionOp = Var (*)(const Var&, const Var&, const Var&, const Var&,
                            const AttentionOptions&);

/// The output, then the gradient of every input.
std::vector<Tensor> results_of(AttentionOp op, const std::vector<Tensor>& inputs,
                               const AttentionOptions& options) {
  Inputs in;
  for (const Tensor& input : inputs) in.emplace_back(input, true);
  const Var out = op(in[0], in[1], in[2], in.size() > 3 ? in[3] : Var(), options);
  backward(out, normal(out.shape(), 7));
  std::vector<Tensor> results{out.value()};
  for (const Var& input : in) results.push_back(input.grad());
  return results;
}

/// The largest difference from the same step by step, in units of the larger of 1 (the size of what
/// goes in: the gradient of q is all rounding where there is one key) and of the largest result.
double difference_from_steps(const std::vector<Tensor>& inputs, const AttentionOptions& options) {
  const std::vector<Tensor> got = results_of(attention, inputs, options),
                            wanted = results_of(attention_step_by_step, inputs, options);
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    double size = 1;
    for (const Real value : wanted[i]) size = std::max(size, std::abs(static_cast<double>(value)));
    largest = larger(largest, largest_difference(got[i], wanted[i]) / size);
  }
  return largest;
}

// Logits reach about 8, and each way a logit and so its weight errs by a few roundings of that;
// sums over 100 keys add sqrt(100) roundings. 12 were seen.
constexpr double kRounding = 50 * kEpsilon;

/// Every shape that differs in how it meets blocks of 64 queries, panels of 8 or 16 columns, and
/// registers.
std::vector<AttentionShape> many_shapes() {
  using enum Added;
  std::vector<AttentionShape> shapes;
  for (const std::size_t T : {1U, 2U, 7U, 32U, 33U, 63U, 64U, 65U, 100U})
    for (const std::size_t H : {1U, 3U})
      for (const std::size_t D : {1U, 4U, 16U, 20U})
        for (const std::size_t E : {D, D == 16 ? std::size_t{7} : D + 5})
          for (const std::size_t S : {T, T + 5}) {
            for (const Added added : {nothing, by_pair, by_distance})
              shapes.push_back({2, H, T, S, D, E, true, added});
            for (const Added added : {nothing, by_pair})
              shapes.push_back({1, H, T, S, D, E, false, added});
          }
  for (const Added added : {nothing, by_pair}) {  // fewer keys than queries
    shapes.push_back({2, 3, 33, 1, 4, 4, false, added});
    shapes.push_back({2, 3, 70, 20, 4, 7, false, added});
  }
  for (const std::size_t S : {2U, 8U, 9U, 16U, 17U, 40U})  // one query, as in generation
    for (const Added added : {nothing, by_pair, by_distance})
      shapes.push_back({2, 3, 1, S, 4, 5, true, added});
  for (const Added added : {nothing, by_pair, by_distance, one_by_pair, one_by_distance})
    for (const std::size_t S : {255U, 256U, 257U, 300U})  // weights are kept up to 256 keys
      for (const std::size_t T : {1U, 3U, 40U}) shapes.push_back({1, 2, T, S, 4, 4, true, added});
  for (const Added added : {nothing, by_pair, by_distance}) {  // so many keys that blocks shrink
    shapes.push_back({1, 2, 40, 700, 4, 4, true, added});
    shapes.push_back({1, 1, 20, 2100, 4, 3, true, added});
  }
  return shapes;
}

REAL_TEST(Attention, equals_the_ops_it_stands_for) {
  double largest = 0;
  std::size_t cases = 0;
  for (const AttentionShape& shape : many_shapes()) {
    const double difference = difference_from_steps(tensors(shape.inputs()), shape.options());
    EXPECT_LE(difference, kRounding) << shape.name();
    largest = larger(largest, difference);
    ++cases;
  }
  std::printf("  %zu shapes, largest difference %.1f epsilon\n", cases, largest / kEpsilon);
}

/// Rows `t` of two [B, H, T, E] differ nowhere, in every sequence and head.
bool same_row(const Tensor& a, const Tensor& b, std::size_t t) {
  const std::size_t heads = a.shape()[0] * a.shape()[1], T = a.shape()[2], E = a.shape()[3];
  for (std::size_t head = 0; head < heads; ++head)
    if (!std::equal(a.data() + (head * T + t) * E, a.data() + (head * T + t + 1) * E,
                    b.data() + (head * T + t) * E))
      return false;
  return true;
}

/// Hidden weights are exactly zero, so a token changes nothing before it, not by a bit.
REAL_TEST(Attention, a_later_token_changes_no_bit_before_it) {
  for (const Added added : {Added::nothing, Added::by_pair, Added::by_distance})
    for (const std::size_t before : {0U, 9U}) {  // keys that are older than all queries
      const AttentionShape shape{2, 2, 70, 70 + before, 4, 5, true, added};
      std::vector<Tensor> inputs = tensors(shape.inputs());
      const Tensor out = results_of(attention, inputs, shape.options())[0];
      for (const std::size_t changed : {1U, 5U, 6U, 31U, 32U, 63U, 64U, 65U, 69U}) {
        std::vector<Tensor> others = inputs;
        for (std::size_t b = 0; b < shape.B; ++b)
          for (std::size_t h = 0; h < shape.H; ++h) {
            for (std::size_t d = 0; d < shape.D; ++d) others[1](b, h, before + changed, d) += 3;
            for (std::size_t e = 0; e < shape.E; ++e) others[2](b, h, before + changed, e) -= 50;
          }
        const Tensor after = results_of(attention, others, shape.options())[0];
        for (std::size_t t = 0; t < shape.T; ++t)
          EXPECT_EQ(same_row(after, out, t), t < changed)
              << shape.name() << ": token " << changed << ", query " << t;
      }
    }
}

REAL_TEST(Attention, an_earlier_query_gives_a_later_token_no_gradient) {
  const Var q(normal({1, 2, 70, 4}), true), k(normal({1, 2, 70, 4}, 2), true),
      v(normal({1, 2, 70, 4}, 3), true), bias(normal({2, 70, 70}, 4), true);
  const Var out = attention(q, k, v, bias, {});
  constexpr std::size_t last = 40;
  Tensor dy = zeros(out.shape());
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t e = 0; e < 4; ++e) dy(0, h, last, e) = 1;
  backward(out, dy);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t s = 0; s < 70; ++s) {
      EXPECT_EQ(bias.grad()(h, last, s) != 0, s <= last) << s;
      for (std::size_t d = 0; d < 4; ++d) {
        EXPECT_EQ(v.grad()(0, h, s, d) != 0, s <= last) << s;
        EXPECT_EQ(k.grad()(0, h, s, d) != 0, s <= last) << s;
        EXPECT_EQ(q.grad()(0, h, s, d) != 0, s == last) << s;
      }
    }
}

REAL_TEST(Attention, large_logits_do_not_overflow) {
  for (const Real size : {Real(1e4), Real(-1e4)})
    for (const bool causal : {true, false}) {
      // Keys of 1 and -1: logits of `size` and -size, many of them equal.
      std::vector<Tensor> inputs = tensors({{1, 2, 40, 1}, {1, 2, 40, 1}, {1, 2, 40, 3}});
      inputs[0] = full({1, 2, 40, 1}, size);
      for (Real& key : inputs[1].storage()) key = key < 0 ? Real(-1) : Real(1);
      for (const Tensor& result : results_of(attention, inputs, {.causal = causal}))
        for (const Real value : result.storage()) ASSERT_TRUE(std::isfinite(value));
      // The logarithm of a sum of equal weights is added to 1e4, and all weights of a row share
      // that rounding; gradients of k are 1e4 times as large as what goes in. 3000 were seen.
      EXPECT_LE(difference_from_steps(inputs, {.causal = causal}), 1e4 * kEpsilon) << size;
    }
  const Var q(full({1, 1, 1, 1}, Real(1e4))),
      k = reshape(Var(Tensor{-1, 1, 0}), {1, 1, 3, 1}),
      v = reshape(Var(Tensor{5, 6, 7, 8, 9, 10}), {1, 1, 3, 2});
  EXPECT_TRUE(identical(reshape(attention(q, k, v, Var(), {}), {2}).value(), {7, 8}));
}

REAL_TEST(Attention, a_nan_in_a_query_stays_visible) {
  const AttentionShape shape{1, 2, 40, 43, 4, 3, true, Added::by_distance};
  std::vector<Tensor> inputs = tensors(shape.inputs());
  const Tensor before = results_of(attention, inputs, shape.options())[0];
  for (const std::size_t bad : {0U, 20U, 35U, 39U}) {
    std::vector<Tensor> others = inputs;
    others[0](0, 0, bad, 2) = std::numeric_limits<Real>::quiet_NaN();
    const std::vector<Tensor> after = results_of(attention, others, shape.options());
    for (std::size_t h = 0; h < shape.H; ++h)
      for (std::size_t t = 0; t < shape.T; ++t)
        for (std::size_t e = 0; e < shape.E; ++e)
          if (h == 0 && t == bad)
            EXPECT_TRUE(std::isnan(after[0](0, h, t, e))) << bad;
          else
            EXPECT_EQ(after[0](0, h, t, e), before(0, h, t, e)) << bad << ", query " << t;
    for (std::size_t d = 0; d < shape.D; ++d)
      EXPECT_TRUE(std::isnan(after[1](0, 0, bad, d))) << "the gradient of query " << bad;
  }
  Tensor alone = full({1, 1, 1, 2}, 1);  // a query that comes by itself
  alone(0, 0, 0, 1) = std::numeric_limits<Real>::quiet_NaN();
  const Var k(normal({1, 1, 40, 2})), out = attention(Var(alone), k, k, Var(), {});
  EXPECT_TRUE(std::isnan(out.value()(0, 0, 0, 0)));
}

REAL_TEST(Attention, refuses_what_does_not_fit) {
  const auto refused = [](const std::vector<Shape>& shapes, const AttentionOptions& options,
                          std::initializer_list<std::string> parts) {
    const auto call = [&] {
      const std::vector<Tensor> in = tensors(shapes);
      attention(Var(in[0]), Var(in[1]), Var(in[2]), in.size() > 3 ? Var(in[3]) : Var(), options);
    };
    expect_error<ShapeError>(call, {"[attention]"});
    expect_error<ShapeError>(call, parts);
  };
  const Shape q{2, 3, 4, 5}, k{2, 3, 6, 5}, v{2, 3, 6, 7};
  const AttentionOptions causal{}, open{.causal = false};
  const std::string wanted = "q [B, H, T, D], k [B, H, S, D], v [B, H, S, E]";
  refused({{3, 4, 5}, k, v}, causal, {wanted, "[3, 4, 5], [2, 3, 6, 5] and [2, 3, 6, 7]"});
  refused({q, {6, 5}, v}, causal, {wanted, "[6, 5]"});
  refused({q, k, {1, 2, 3, 6, 7}}, causal, {wanted, "[1, 2, 3, 6, 7]"});
  refused({{}, {}, {}}, causal, {wanted, "[], [] and []"});
  for (const Shape& other : {Shape{1, 3, 6, 5}, Shape{2, 1, 6, 5}, Shape{2, 3, 6, 4}})
    refused({q, other, v}, causal,
            {fmt::format("k {}", other), "q [2, 3, 4, 5]", "sequences and heads", "width"});
  for (const Shape& other : {Shape{1, 3, 6, 7}, Shape{2, 1, 6, 7}, Shape{2, 3, 5, 7}})
    refused({q, k, other}, causal, {fmt::format("v {}", other), "k [2, 3, 6, 5]", "length of k"});
  refused({q, {2, 3, 3, 5}, {2, 3, 3, 7}}, causal, {"4 queries need as many keys, got 3"});
  const std::string shapes = "must be [3, 4, 6], or [3, 6] where attention is causal, or with one";
  for (const Shape& bias : {Shape{4, 6}, Shape{1, 4, 7}, Shape{3, 6, 4}, Shape{3, 4, 5},
                            Shape{2, 3, 4, 6}, Shape{2, 6}, Shape{3, 4}, Shape{6}, Shape{}})
    for (const AttentionOptions& options : {causal, open})
      refused({q, k, v, bias}, options, {fmt::format("bias {} ", bias), shapes});
  refused({q, k, v, {3, 6}}, open, {"bias [3, 6] ", shapes});
}

/// Bytes that malloc has given out. 0 where a sanitizer stands in for it.
std::size_t in_use() {
  const auto memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}

/// Neither a result nor a gradient has a number for every pair of a query and a key, nor has what
/// the thread keeps for the next call.
REAL_TEST(Attention, keeps_nothing_for_every_pair) {
  constexpr std::size_t T = 2048, D = 4;
  const AttentionShape shape{1, 1, T, T, D, D, true, Added::by_distance};
  Inputs in;
  for (const Tensor& input : tensors(shape.inputs())) in.emplace_back(input, true);
  std::size_t largest = 0, ops = 0;
  const ObserveOps observe([&](const Var& result, const std::vector<Var>& inputs) {
    for (const Var& input : inputs) largest = std::max(largest, input.size());
    largest = std::max(largest, result.size());
    ++ops;
  });
  const std::size_t before = in_use();
  const Var out = attention(in[0], in[1], in[2], in[3], shape.options());
  backward(sum(out));
  EXPECT_EQ(ops, 2U);
  EXPECT_EQ(largest, T * D);
  EXPECT_LT(in_use(), before + T * T * sizeof(Real) / 4);
  for (const Var& input : in)
    for (const Real value : input.grad()) ASSERT_TRUE(std::isfinite(value));
}

/// A sum over a long row, by hand: the last of 2048 queries sees everything.
REAL_TEST(Attention, is_right_over_a_long_context) {
  constexpr std::size_t T = 2048, D = 4;
  const AttentionShape shape{1, 1, T, T, D, D, true, Added::by_distance};
  const std::vector<Tensor> in = tensors(shape.inputs());
  const Var out = attention(Var(in[0]), Var(in[1]), Var(in[2]), Var(in[3]), shape.options());
  Tensor logits = empty({T}), wanted = zeros({D});
  for (std::size_t s = 0; s < T; ++s) {
    logits(s) = in[3](0, s);  // the newest key at the end
    for (std::size_t d = 0; d < D; ++d) logits(s) += in[0](0, 0, T - 1, d) * in[1](0, 0, s, d) / 2;
  }
  const Tensor weights = softmax(Var(logits)).value();
  for (std::size_t s = 0; s < T; ++s)
    for (std::size_t d = 0; d < D; ++d) wanted(d) += weights(s) * in[2](0, 0, s, d);
  // Sums of T terms, each off by a few roundings, err by sqrt(T) = 45 roundings or so.
  for (std::size_t d = 0; d < D; ++d)
    EXPECT_NEAR(out.value()(0, 0, T - 1, d), wanted(d), 100 * kEpsilon);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
