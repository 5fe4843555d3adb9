#include "phasor/autograd/backward.hpp"

#include "phasor/ops/ops.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// Small integers throughout: every sum and product is exact, in both precisions.
Var leaf(Tensor value) { return Var(std::move(value), true); }

REAL_TEST(Backward, follows_the_chain_rule) {
  const Var x = leaf({1, 2, 3}), w = leaf({4, 5, 6});
  backward(sum(scale(x * w, 2) + x));  // d/dx = 2 w + 1, d/dw = 2 x
  EXPECT_TRUE(identical(x.grad(), {9, 11, 13}));
  EXPECT_TRUE(identical(w.grad(), {2, 4, 6}));
}

REAL_TEST(Backward, gradients_accumulate_until_cleared) {
  Var x = leaf({1, 2});
  EXPECT_FALSE(x.has_grad());
  for (const Real times : {Real(1), Real(2), Real(3)}) {
    backward(sum(scale(x, 5)));
    EXPECT_TRUE(identical(x.grad(), full({2}, 5 * times)));
  }
  x.clear_grad();
  EXPECT_FALSE(x.has_grad());
  backward(sum(x));
  EXPECT_TRUE(identical(x.grad(), {1, 1}));
}

REAL_TEST(Backward, a_tensor_used_twice_gets_both_gradients) {
  const Var x = leaf({1, 2, 3});
  backward(sum(x * x));
  EXPECT_TRUE(identical(x.grad(), {2, 4, 6}));
  const Var y = leaf({1, 2, 3});
  backward(sum(y - y));
  EXPECT_TRUE(identical(y.grad(), {0, 0, 0}));
}

REAL_TEST(Backward, paths_of_a_diamond_add_up) {
  // x -> a -> (b, c) -> d: a's backward must wait until both b and c have added to its gradient.
  const Var x = leaf({2, 3});
  const Var a = scale(x, 3);
  const Var b = a * a;            // 9 x^2
  const Var c = scale(a, 10);     // 30 x
  const Var d = scale(b, 2) + c;  // 18 x^2 + 30 x
  backward(sum(d * a));           // 54 x^3 + 90 x^2
  EXPECT_TRUE(identical(x.grad(), {162 * 4 + 180 * 2, 162 * 9 + 180 * 3}));
}

REAL_TEST(Backward, a_longer_path_does_not_come_too_late) {
  // x reaches the sum directly and through five ops.
  const Var x = leaf({1});
  Var y = x;
  for (int i = 0; i < 5; ++i) y = scale(y, 2);
  backward(sum(y + x));
  EXPECT_TRUE(identical(x.grad(), {33}));
  const Var z = leaf({1});
  Var w = z;
  for (int i = 0; i < 5; ++i) w = scale(w, 2);
  backward(sum(z + w));  // the other order of inputs
  EXPECT_TRUE(identical(z.grad(), {33}));
}

REAL_TEST(Backward, only_leaves_that_require_a_gradient_get_one) {
  const Var x = leaf({1, 2}), constant(Tensor{3, 4});
  const Var y = x * constant;
  backward(sum(y));
  EXPECT_TRUE(identical(x.grad(), {3, 4}));
  EXPECT_FALSE(constant.has_grad());
  EXPECT_FALSE(y.has_grad());  // gradients of op results are given back as backward goes
}

REAL_TEST(Backward, a_leaf_may_be_the_loss) {
  const Var x = leaf(scalar(7));
  backward(x);
  EXPECT_EQ(x.grad()(), 1);
  backward(x);
  EXPECT_EQ(x.grad()(), 2);
  const Var y = leaf({1, 2});
  backward(y, Tensor{5, 6});
  EXPECT_TRUE(identical(y.grad(), {5, 6}));
}

REAL_TEST(Backward, starts_from_a_given_cotangent) {
  const Var x = leaf({{1, 2}, {3, 4}});
  backward(scale(x, 2), Tensor{{1, 10}, {100, 1000}});
  EXPECT_TRUE(identical(x.grad(), {{2, 20}, {200, 2000}}));
}

REAL_TEST(Backward, a_loss_of_one_element_may_have_axes) {
  const Var x = leaf(full({1, 1}, 3));
  backward(x * x);
  EXPECT_TRUE(identical(x.grad(), full({1, 1}, 6)));
}

REAL_TEST(Backward, a_second_backward_is_an_error) {
  const Var x = leaf({1, 2});
  const Var loss = sum(x);
  backward(loss);
  expect_error<GraphError>([&] { backward(loss); }, {"'sum'", "freed", "compute it again"});
  EXPECT_TRUE(identical(x.grad(), {1, 1})) << "the failed call changed the gradient";
}

REAL_TEST(Backward, a_partly_freed_graph_is_an_error) {
  const Var x = leaf({1, 2}), w = leaf({1, 1});
  const Var shared = scale(x, 2);
  backward(sum(shared));
  const Var other = sum(shared * w);
  expect_error<GraphError>([&] { backward(other); }, {"'scale'", "freed", "compute it again"});
  EXPECT_FALSE(w.has_grad()) << "half of the gradients were added";
}

REAL_TEST(Backward, what_is_no_loss_is_an_error) {
  const Var x = leaf({{1, 2}, {3, 4}});
  Gradients gradients;
  expect_error<GraphError>([&] { backward(x * x); }, {"one element", "[2, 2]", "sum or mean"});
  expect_error<GraphError>([&] { backward(x * x, gradients); },
                           {"one element", "[2, 2]", "sum or mean"});
  expect_error<GraphError>([&] { backward(Var(scalar(1))); }, {"'leaf'", "requires_grad"});
  expect_error<GraphError>([&] { backward(sum(Var(Tensor{1, 2}))); }, {"'sum'", "requires_grad"});
  expect_error<ShapeError>(
      [&] {
        backward(scale(x, 2), Tensor{1, 2});
      },
      {"dy has shape [2]", "[2, 2]"});
  expect_error<GraphError>([] { backward(Var()); }, {"empty"});
  expect_error<GraphError>([] { backward(Var(), scalar(1)); }, {"empty"});
}

REAL_TEST(Backward, a_gradient_of_the_wrong_shape_is_an_error) {
  const Var x = leaf({1, 2, 3});
  const Var y = Var::op("broken", scalar(0), {x}, [](const OpGrad& g) { g.add(0, zeros({2})); });
  expect_error<ShapeError>([&] { backward(y); }, {"[broken]", "input 0", "[2]", "[3]"});
}

REAL_TEST(Backward, an_op_sees_its_inputs_output_and_cotangent) {
  const Var x = leaf({1, 2}), constant(Tensor{3, 4});
  bool ran = false;
  const Var y = Var::op("probe", Tensor{5, 6}, {x, constant}, [&](const OpGrad& g) {
    ran = true;
    EXPECT_EQ(g.input_count(), 2u);
    EXPECT_TRUE(g.needs(0));
    EXPECT_FALSE(g.needs(1));
    EXPECT_TRUE(identical(g.input(1), {3, 4}));
    EXPECT_TRUE(identical(g.output(), {5, 6}));
    EXPECT_TRUE(identical(g.dy(), {7, 8}));
    EXPECT_TRUE(identical(g.into(0), {0, 0}));  // zero before anything was added
    g.add(0, Tensor{1, 1});
    EXPECT_TRUE(identical(g.into(0), {1, 1}));
    g.into(0)(1) += 10;
  });
  backward(y, Tensor{7, 8});
  EXPECT_TRUE(ran);
  EXPECT_TRUE(identical(x.grad(), {1, 11}));
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
