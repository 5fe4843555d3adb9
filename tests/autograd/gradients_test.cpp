// Gradients kept outside the graph, as data-parallel training needs them.
#include <thread>

#include "phasor/autograd/backward.hpp"
#include "phasor/ops/ops.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

REAL_TEST(Gradients, leave_the_leaves_untouched) {
  const Var x(Tensor{1, 2}, true), other(Tensor{1, 2}, true), constant(Tensor{3, 4});
  Gradients gradients;
  EXPECT_TRUE(gradients.empty());
  backward(sum(scale(x * constant, 2)), gradients);
  EXPECT_FALSE(x.has_grad());
  ASSERT_NE(gradients.find(x), nullptr);
  EXPECT_TRUE(identical(*gradients.find(x), {6, 8}));
  EXPECT_EQ(gradients.find(other), nullptr);
  EXPECT_EQ(gradients.find(constant), nullptr);
  EXPECT_EQ(gradients.find(Var()), nullptr);
}

REAL_TEST(Gradients, accumulate_until_cleared) {
  const Var x(Tensor{1, 2}, true);
  backward(sum(x));  // the leaf's own gradient stands apart
  Gradients gradients;
  backward(sum(x * x), gradients);
  backward(sum(scale(x, 10)), gradients);
  EXPECT_TRUE(identical(*gradients.find(x), {12, 14}));
  EXPECT_TRUE(identical(x.grad(), {1, 1}));
  gradients.clear();
  EXPECT_TRUE(gradients.empty());
  EXPECT_EQ(gradients.find(x), nullptr);
}

REAL_TEST(Gradients, take_a_leaf_that_is_the_loss) {
  const Var x(scalar(4), true);
  Gradients gradients;
  backward(x, gradients);
  backward(x, gradients);
  EXPECT_EQ((*gradients.find(x))(), 2);
  EXPECT_FALSE(x.has_grad());
}

/// One shard's loss: a tiny network on shared parameters.
void run_shard(const Var& weight, const Var& bias, std::uint64_t shard, Gradients& into) {
  const Var x(normal({8, 6}, 100 + shard));
  const Var y = gelu_tanh(linear(x, weight, bias));
  backward(mean(y * y), into);
}

REAL_TEST(Gradients, threads_at_once_give_what_one_after_another_gives) {
  constexpr std::size_t shards = 4;
  const Var weight(normal({5, 6}, 1), true), bias(normal({5}, 2), true);
  std::vector<Gradients> alone(shards);
  for (std::size_t i = 0; i < shards; ++i) run_shard(weight, bias, i, alone[i]);
  for (int round = 0; round < 20; ++round) {
    std::vector<Gradients> together(shards);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < shards; ++i)
      threads.emplace_back([&, i] { run_shard(weight, bias, i, together[i]); });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < shards; ++i)  // the same arithmetic: equal to the last bit
      for (const Var& leaf : {weight, bias})
        ASSERT_TRUE(identical(*together[i].find(leaf), *alone[i].find(leaf))) << "shard " << i;
  }
  EXPECT_FALSE(weight.has_grad());
}

REAL_TEST(Gradients, no_grad_and_observers_are_the_thread_s_own) {
  const Var x(Tensor{1, 2}, true);
  const NoGrad no_grad;
  int seen = 0;
  const ObserveOps observe([&](const Var&, const std::vector<Var>&) { ++seen; });
  bool other_builds_a_graph = false;
  std::thread([&] { other_builds_a_graph = scale(x, 2).requires_grad(); }).join();
  EXPECT_TRUE(other_builds_a_graph);
  EXPECT_EQ(seen, 0);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
