// The two ways of an op to save a copy: a sum that a product overwrites, a cotangent given away.
#include "phasor/autograd/backward.hpp"
#include "phasor/ops/ops.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// Small integers throughout: every sum and product is exact, in both precisions.
Var leaf(Tensor value) { return Var(std::move(value), true); }

/// What g.sum gave, one number for each call, and what it is for: gradient = beta * gradient +
/// factor * dy. Memory that means nothing is made NaN first, so that nobody can have read it.
void accumulate(const OpGrad& g, std::size_t input, Real factor, std::vector<Real>& betas) {
  const auto [data, beta] = g.sum(input);
  betas.push_back(beta);
  for (std::size_t i = 0; i < g.dy().size(); ++i) {
    if (beta == 0) data[i] = std::numeric_limits<Real>::quiet_NaN();
    const Real old = beta == 0 ? 0 : beta * data[i];
    data[i] = old + factor * g.dy().data()[i];
  }
}

/// 2 a + 3 b, of equal shapes.
Var weighted(const Var& a, const Var& b, std::vector<Real>& betas) {
  Tensor value = a.value();
  for (std::size_t i = 0; i < value.size(); ++i)
    value.data()[i] = 2 * a.value().data()[i] + 3 * b.value().data()[i];
  return Var::op("weighted", std::move(value), {a, b}, [&betas](const OpGrad& g) {
    if (g.needs(0)) accumulate(g, 0, 2, betas);
    if (g.needs(1)) accumulate(g, 1, 3, betas);
  });
}

using Betas = std::vector<Real>;

REAL_TEST(OpGrad, sum_overwrites_at_first_and_adds_afterwards) {
  const Var a = leaf({{1, 2}, {3, 4}}), b = leaf({{5, 6}, {7, 8}});
  Betas betas;
  backward(weighted(a, b, betas), Tensor{{1, 10}, {100, 1000}});
  EXPECT_EQ(betas, (Betas{0, 0}));
  EXPECT_TRUE(identical(a.grad(), {{2, 20}, {200, 2000}}));
  EXPECT_TRUE(identical(b.grad(), {{3, 30}, {300, 3000}}));
  backward(weighted(a, b, betas), full({2, 2}, 1));  // leaves keep what they have
  EXPECT_EQ(betas, (Betas{0, 0, 1, 1}));
  EXPECT_TRUE(identical(a.grad(), {{4, 22}, {202, 2002}}));
  EXPECT_TRUE(identical(b.grad(), {{6, 33}, {303, 3003}}));
}

REAL_TEST(OpGrad, sum_of_an_input_that_is_used_twice) {
  const Var x = leaf({1, 2});
  Betas betas;
  backward(weighted(x, x, betas), Tensor{1, 10});
  EXPECT_EQ(betas, (Betas{0, 1}));
  EXPECT_TRUE(identical(x.grad(), {5, 50}));
  const Var y = leaf({1, 2});
  const Var middle = scale(y, 1);  // the same for the result of an op
  betas.clear();
  backward(weighted(middle, middle, betas), Tensor{1, 10});
  EXPECT_EQ(betas, (Betas{0, 1}));
  EXPECT_TRUE(identical(y.grad(), {5, 50}));
}

REAL_TEST(OpGrad, sum_meets_what_other_ops_have_added) {
  const Var x = leaf({1, 2}), unused(Tensor{0, 0});
  const Var middle = scale(x, 1);
  Betas betas;
  // The one consumer adds, the other sums; either may come first.
  backward(sum(weighted(middle, unused, betas) + scale(middle, 7)));
  EXPECT_TRUE(identical(x.grad(), {9, 9}));
  const Var y = leaf({1, 2}), again = scale(y, 1);
  backward(sum(scale(again, 7) + weighted(again, unused, betas)));
  EXPECT_TRUE(identical(y.grad(), {9, 9}));
  EXPECT_EQ(betas.size(), 2U);
  EXPECT_NE(betas[0], betas[1]) << "both orders were to be tried";
}

REAL_TEST(OpGrad, sum_and_into_are_the_same_memory) {
  const Var x = leaf({1, 2});
  const Var y = Var::op("probe", Tensor{0, 0}, {x}, [](const OpGrad& g) {
    g.into(0)(0) = 5;
    const auto [data, beta] = g.sum(0);
    EXPECT_EQ(beta, 1);
    EXPECT_EQ(data, g.into(0).data());
    data[1] += 6;
    g.add(0, Tensor{100, 100});
  });
  backward(y, Tensor{1, 1});
  EXPECT_TRUE(identical(x.grad(), {105, 106}));
}

REAL_TEST(OpGrad, sum_goes_into_gradients_that_the_caller_brings) {
  const Var x = leaf({1, 2});
  Gradients mine;
  Betas betas;
  for (const Real times : {Real(1), Real(2)}) {
    backward(sum(weighted(x, x, betas)), mine);
    ASSERT_NE(mine.find(x), nullptr);
    EXPECT_TRUE(identical(*mine.find(x), full({2}, 5 * times)));
  }
  EXPECT_EQ(betas, (Betas{0, 1, 1, 1}));
  EXPECT_FALSE(x.has_grad());
}

REAL_TEST(OpGrad, sum_has_the_shape_of_its_input) {
  const Var x = leaf({{1, 2, 3}, {4, 5, 6}});
  const Var y = Var::op("total", scalar(21), {x}, [](const OpGrad& g) {
    const auto [data, beta] = g.sum(0);
    EXPECT_EQ(beta, 0);
    std::fill_n(data, 6, g.dy()());
  });
  backward(y);
  EXPECT_TRUE(identical(x.grad(), full({2, 3}, 1)));
}

REAL_TEST(OpGrad, take_dy_leaves_nothing_behind) {
  const Var x = leaf({{1, 2}, {3, 4}});
  const Real* moved = nullptr;
  const Var y = Var::op("same", x.value(), {x}, [&moved](const OpGrad& g) {
    moved = g.dy().data();
    Tensor dy = g.take_dy();
    EXPECT_TRUE(identical(dy, {{5, 6}, {7, 8}}));
    EXPECT_EQ(dy.data(), moved) << "the numbers were copied";
    EXPECT_TRUE(g.dy().storage().empty());
    g.add(0, std::move(dy));
  });
  backward(y, Tensor{{5, 6}, {7, 8}});
  EXPECT_TRUE(identical(x.grad(), {{5, 6}, {7, 8}}));
  EXPECT_EQ(x.grad().data(), moved) << "the numbers were copied";
}

REAL_TEST(OpGrad, take_dy_does_not_share_memory_between_inputs) {
  const Var a = leaf({1, 2}), b = leaf({3, 4});
  const auto both = [&] {
    return Var::op("both", Tensor{4, 6}, {a, b}, [](const OpGrad& g) {
      g.add(0, g.dy());
      g.add(1, g.take_dy());
    });
  };
  backward(both(), Tensor{1, 2});
  backward(both(), Tensor{10, 20});
  EXPECT_TRUE(identical(a.grad(), {11, 22}));
  EXPECT_TRUE(identical(b.grad(), {11, 22}));
  EXPECT_NE(a.grad().data(), b.grad().data());
}

/// add gives its cotangent away: both inputs must get it, and be it one tensor.
REAL_TEST(OpGrad, add_gives_its_cotangent_to_both) {
  const Var a = leaf({1, 2}), b = leaf({3, 4}), constant(Tensor{5, 6});
  backward(add(a, b), Tensor{1, 2});
  EXPECT_TRUE(identical(a.grad(), {1, 2}));
  EXPECT_TRUE(identical(b.grad(), {1, 2}));
  backward(add(a, a), Tensor{10, 20});
  EXPECT_TRUE(identical(a.grad(), {21, 42}));
  backward(add(b, constant), Tensor{10, 20});
  backward(add(constant, b), Tensor{100, 200});
  EXPECT_TRUE(identical(b.grad(), {111, 222}));
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
