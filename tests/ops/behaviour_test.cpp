// What ops do beyond their gradients: values written out, limits, and numbers that went bad.
#include "phasor/ops/ops.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

Var counting(const Shape& shape) {
  Tensor x = empty(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<Real>(i);
  return Var(x);
}

REAL_TEST(Ops, layout_ops_move_elements_where_numpy_does) {
  const Var x = counting({2, 3});  // [[0, 1, 2], [3, 4, 5]]
  EXPECT_TRUE(identical(reshape(x, {3, 2}).value(), {{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_TRUE(identical(transpose(x, {1, 0}).value(), {{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_TRUE(identical(slice(x, 1, 1, 3).value(), {{1, 2}, {4, 5}}));
  EXPECT_TRUE(identical(slice(x, 0, 1, 2).value(), Tensor{{3, 4, 5}}));
  EXPECT_EQ(slice(x, 1, 2, 2).shape(), (Shape{2, 0}));
  EXPECT_TRUE(
      identical(concatenate({x, x}, 0).value(), {{0, 1, 2}, {3, 4, 5}, {0, 1, 2}, {3, 4, 5}}));
  EXPECT_TRUE(
      identical(concatenate({x, slice(x, 1, 0, 1)}, 1).value(), {{0, 1, 2, 0}, {3, 4, 5, 3}}));
}

REAL_TEST(Ops, heads_are_split_and_merged) {
  const Var x = counting({1, 2, 6});  // two places of width 6
  const Tensor split{{{{0, 1}, {6, 7}}, {{2, 3}, {8, 9}}, {{4, 5}, {10, 11}}}};
  EXPECT_TRUE(identical(split_heads(x, 3).value(), split));
  EXPECT_TRUE(identical(merge_heads(split_heads(x, 3)).value(), x.value()));
}

REAL_TEST(Ops, sums_and_means_run_along_the_axis) {
  const Var x = counting({2, 3});
  EXPECT_TRUE(identical(sum(x).value(), scalar(15)));
  EXPECT_TRUE(identical(mean(x).value(), scalar(15 * (1 / Real(6)))));
  EXPECT_TRUE(identical(sum(x, 0).value(), {3, 5, 7}));
  EXPECT_TRUE(identical(sum(x, 1).value(), {3, 12}));
  EXPECT_TRUE(identical(mean(x, 0).value(), {1.5, 2.5, 3.5}));
}

REAL_TEST(Ops, masked_fill_repeats_the_mask_over_leading_axes) {
  const Var x = counting({2, 2, 2});
  const Tensor wanted{{{0, -1}, {2, 3}}, {{4, -1}, {6, 7}}};
  EXPECT_TRUE(identical(masked_fill(x, Mask{{false, true}, {false, false}}, -1).value(), wanted));
}

REAL_TEST(Ops, matmul_by_a_shared_matrix_equals_each_product) {
  const Var a(normal({2, 3, 4}, 1)), b(normal({4, 5}, 2));
  const Var y = matmul(a, b);
  EXPECT_EQ(y.shape(), (Shape{2, 3, 5}));
  for (std::size_t i = 0; i < 2; ++i) {
    const Var one = matmul(reshape(slice(a, 0, i, i + 1), {3, 4}), b);
    // Sums of 4 products, perhaps in another order.
    EXPECT_LE(relative_difference(reshape(slice(y, 0, i, i + 1), {3, 5}).value(), one.value()),
              4 * kEpsilon);
  }
}

REAL_TEST(Ops, products_over_nothing_are_zero) {
  const Var a(zeros({2, 0})), b(zeros({0, 3}));
  EXPECT_TRUE(identical(matmul(a, b).value(), zeros({2, 3})));
  EXPECT_TRUE(identical(matmul(Var(zeros({4, 2, 0})), b).value(), zeros({4, 2, 3})));
  EXPECT_TRUE(identical(linear(a, Var(zeros({3, 0})), Var(full({3}, 5))).value(), full({2, 3}, 5)));
  EXPECT_EQ(matmul(Var(zeros({0, 2})), Var(zeros({2, 3}))).shape(), (Shape{0, 3}));
}

REAL_TEST(Ops, cross_entropy_of_equal_logits_is_the_logarithm_of_the_vocabulary) {
  const Indices targets{1, kIgnore, 3};
  const Var loss = cross_entropy(Var(full({3, 8}, 100)), targets);
  EXPECT_EQ(loss.rank(), 0u);
  // exp(0) * 8 is exact; log and the mean round once each.
  EXPECT_NEAR(static_cast<double>(loss.value()()), std::log(8.0), 2 * kEpsilon * std::log(8.0));
}

REAL_TEST(Ops, dropout_keeps_the_expectation) {
  constexpr std::size_t count = 100000;
  for (const Real probability : {Real(0.1), Real(0.5), Real(0.9)}) {
    Rng rng(1, "dropout");
    const Var y = dropout(Var(full({count}, 1)), probability, rng);
    const Real kept = 1 / (1 - probability);
    double share = 0;
    for (const Real value : y.value()) {
      ASSERT_TRUE(value == 0 || value == kept) << value;
      share += (value != 0) / static_cast<double>(count);
    }
    const double p = static_cast<double>(probability);  // five standard errors
    EXPECT_NEAR(share, 1 - p, 5 * std::sqrt(p * (1 - p) / count));
  }
}

REAL_TEST(Ops, dropout_with_probability_zero_draws_nothing) {
  Rng rng(1, "dropout"), untouched(1, "dropout");
  const Var x = counting({4});
  EXPECT_TRUE(dropout(x, 0, rng).is_same(x));
  EXPECT_EQ(rng.next(), untouched.next());
}

REAL_TEST(Ops, activations_reach_their_limits) {
  const Var x(Tensor{-1000, -50, 0, 50, 1000});
  for (const auto& f : {relu, silu, gelu_tanh, gelu_erf}) {
    // Beyond 50 the missing share is exp(-50) = 2e-22 of x: 0 to 1e-20, and equal where positive.
    EXPECT_LE(largest_difference(f(x).value(), Tensor{0, 0, 0, 50, 1000}), 1e-20) << f(x).name();
    const Var leaf(x.value(), true);
    backward(f(leaf), full({5}, 1));
    EXPECT_LE(std::abs(static_cast<double>(leaf.grad()(0))), 1e-20) << f(x).name();
    EXPECT_EQ(leaf.grad()(4), 1) << f(x).name();
  }
}

REAL_TEST(Ops, not_a_number_stays_visible) {
  // One in a full vector register and one in the rest.
  for (const std::size_t place : {std::size_t{0}, std::size_t{16}}) {
    Tensor values = normal({17});
    values(place) = kNan;
    const Var x(values), one(full({17}, 1)), zero(zeros({17}));
    for (const Var& y : {relu(x), silu(x), gelu_tanh(x), gelu_erf(x), scale(x, 0), x * zero,
                         x + one, layer_norm(x, one, zero), rms_norm(x, one), softmax(x)})
      EXPECT_TRUE(std::isnan(y.value()(place))) << y.name() << " at " << place;
    for (const Var& y : {sum(x), mean(x), cross_entropy(x, Indices(Shape{}, 3))})
      EXPECT_TRUE(std::isnan(y.value()())) << y.name() << " at " << place;
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
