// Building, watching and destroying graphs.
#include "phasor/autograd/backward.hpp"
#include "phasor/ops/ops.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

REAL_TEST(Graph, an_op_keeps_its_inputs_only_for_a_gradient) {
  const Var x(Tensor{1, 2}, true), constant(Tensor{3, 4});
  const Var y = x * constant;
  EXPECT_TRUE(y.requires_grad());
  EXPECT_STREQ(y.name(), "mul");
  ASSERT_EQ(y.inputs().size(), 2u);
  EXPECT_TRUE(y.inputs()[0].is_same(x));
  EXPECT_TRUE(y.inputs()[1].is_same(constant));
  const Var z = constant * constant;
  EXPECT_FALSE(z.requires_grad());
  EXPECT_TRUE(z.inputs().empty());
  EXPECT_STREQ(x.name(), "leaf");
}

REAL_TEST(Graph, backward_frees_what_it_passed) {
  const Var x(Tensor{1, 2}, true);
  const auto token = std::make_shared<int>(1);
  const Var y =
      Var::op("holder", Tensor{1, 2}, {x}, [token](const OpGrad& g) { g.add(0, g.dy()); });
  EXPECT_EQ(token.use_count(), 2);
  backward(sum(y));
  EXPECT_EQ(token.use_count(), 1) << "what backward captured is still held";
  EXPECT_TRUE(y.inputs().empty());
  EXPECT_TRUE(identical(y.value(), {1, 2}));  // the value of a Var in use stays
}

REAL_TEST(Graph, no_grad_builds_no_graph) {
  const Var x(Tensor{1, 2}, true);
  {
    const NoGrad no_grad;
    const Var y = x * x;
    EXPECT_FALSE(y.requires_grad());
    EXPECT_TRUE(y.inputs().empty());
    expect_error<GraphError>([&] { backward(sum(y)); }, {"outside NoGrad"});
  }
  EXPECT_TRUE((x * x).requires_grad());
}

REAL_TEST(Graph, no_grad_nests) {
  const Var x(Tensor{1, 2}, true);
  {
    const NoGrad outer;
    { const NoGrad inner; }
    EXPECT_FALSE((x * x).requires_grad()) << "the inner one switched gradients on";
  }
  EXPECT_TRUE((x * x).requires_grad());
}

REAL_TEST(Graph, copies_are_handles_on_the_same_node) {
  Var x(Tensor{1, 2}, true);
  Var copy = x;
  copy.mutable_value()(0) = 9;
  EXPECT_TRUE(identical(x.value(), {9, 2}));
  EXPECT_TRUE(copy.is_same(x));
  EXPECT_FALSE(Var(Tensor{9, 2}).is_same(x));
}

REAL_TEST(Graph, misuse_of_a_var_is_an_error) {
  Var empty_var;
  EXPECT_FALSE(empty_var);
  EXPECT_FALSE(empty_var.requires_grad());
  EXPECT_FALSE(empty_var.has_grad());
  EXPECT_STREQ(empty_var.name(), "empty");
  expect_error<GraphError>([&] { empty_var.value(); }, {"[var]", "empty"});
  expect_error<GraphError>([&] { empty_var.shape(); }, {"[var]", "empty"});
  expect_error<GraphError>([&] { empty_var.size(); }, {"[var]", "empty"});
  expect_error<GraphError>([&] { empty_var.inputs(); }, {"[var]", "empty"});
  expect_error<GraphError>([&] { empty_var.grad(); }, {"no gradient", "call backward"});
  expect_error<GraphError>([&] { empty_var.clear_grad(); }, {"[var]", "empty"});
  expect_error<GraphError>([&] { empty_var.mutable_value(); }, {"only a leaf", "'empty'"});
  const Var x(Tensor{1, 2}, true);
  expect_error<GraphError>([&] { x.grad(); }, {"no gradient", "call backward", "requires_grad"});
  Var y = scale(x, 2);
  expect_error<GraphError>([&] { y.mutable_value(); }, {"only a leaf", "'scale'"});
  backward(sum(y));
  expect_error<GraphError>([&] { y.mutable_value(); }, {"only a leaf", "'scale'"});
}

REAL_TEST(Graph, observe_ops_sees_every_op_in_order) {
  const Var x(Tensor{1, 2}, true);
  std::vector<std::string> names, inner_names;
  {
    const ObserveOps observe([&](const Var& result, const std::vector<Var>& inputs) {
      names.push_back(result.name() + fmt::format("({})", inputs.size()));
    });
    const Var y = scale(x, 2) + x;
    {
      const ObserveOps inner([&](const Var& result, const std::vector<Var>& inputs) {
        inner_names.push_back(result.name());
        EXPECT_TRUE(inputs[0].is_same(y));
        EXPECT_TRUE(identical(result.value(), {6, 12}));
      });
      scale(y, 2);
    }
    const NoGrad no_grad;  // ops without a graph are seen as well
    sum(y);
  }
  scale(x, 3);
  EXPECT_EQ(names, (std::vector<std::string>{"scale(1)", "add(2)", "sum(1)"}));
  EXPECT_EQ(inner_names, std::vector<std::string>{"scale"});
}

/// Ops in a row, far more than a stack of 8 MB has room for when each takes a call.
constexpr int kDeep = 200000;

template <class Step>
Var chain(const Var& x, Step step) {
  Var y = x;
  for (int i = 0; i < kDeep; ++i) y = step(y);
  return y;
}

REAL_TEST(Graph, a_deep_graph_runs_backward) {
  const Var x(Tensor{1, 2}, true);
  const Var y = chain(x, [](const Var& v) { return scale(v, 1); });
  backward(sum(y));
  EXPECT_TRUE(identical(x.grad(), {1, 1}));
}

REAL_TEST(Graph, a_deep_graph_is_destroyed_without_backward) {
  const Var x(Tensor{1, 2}, true);
  {
    const Var y = chain(x, [](const Var& v) { return scale(v, 1); });
  }
  EXPECT_EQ(x.node()->inputs.size(), 0u);
}

REAL_TEST(Graph, a_deep_graph_of_shared_results_is_destroyed) {
  const Var x(Tensor{1, 0}, true);
  Var kept;
  {
    const Var y = chain(x, [](const Var& v) { return v - v; });  // each result is read twice
    kept = y.inputs()[0];
  }
  EXPECT_TRUE(identical(kept.value(), {0, 0}));  // alive: a handle is left
  EXPECT_EQ(kept.inputs().size(), 2u);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
