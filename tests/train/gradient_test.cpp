// The loss and gradient of a batch that is cut into shards.
#include "phasor/train/gradient.hpp"

#include "phasor/core/error.hpp"
#include "phasor/ops/cross_entropy.hpp"
#include "phasor/tensor/gemm.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

Batch random_batch(std::size_t B, std::size_t T, std::uint64_t seed = 1) {
  return {random_tokens(B, T, 11, seed), random_tokens(B, T, 11, seed + 1000)};
}

LossAndGradient computed(const Gpt& model, const Batch& batch, const PassName& name,
                         std::size_t threads) {
  use_single_threaded_blas();
  Workers workers(threads);
  return loss_and_gradient(model, batch, name, workers);
}

bool same_bits(const LossAndGradient& a, const LossAndGradient& b) {
  if (a.loss != b.loss || a.gradients.size() != b.gradients.size()) return false;
  for (std::size_t i = 0; i < a.gradients.size(); ++i)
    if (!identical(a.gradients[i], b.gradients[i])) return false;
  return true;
}

std::unique_ptr<Gpt> model_with(const std::string& scheme, double dropout) {
  GptConfig config = tiny_config(scheme);
  config.dropout = dropout;
  return lively_model(config);
}

REAL_TEST(LossAndGradient, has_the_same_bits_on_any_number_of_threads) {
  for (const SchemeEntry& entry : schemes())
    for (const double dropout : {0.0, 0.2})
      for (const std::size_t B : {1U, 5U, 8U, 13U}) {
        const auto model = model_with(entry.name, dropout);
        const Batch batch = random_batch(B, 7);
        const LossAndGradient one = computed(*model, batch, {1, 2, 3}, 1);
        for (const std::size_t threads : {2U, 3U, 8U})
          EXPECT_TRUE(same_bits(computed(*model, batch, {1, 2, 3}, threads), one))
              << entry.name << ", dropout " << dropout << ", batch " << B << ", " << threads
              << " threads";
      }
}

REAL_TEST(LossAndGradient, is_that_of_the_whole_batch) {
  for (const SchemeEntry& entry : schemes())
    for (const std::size_t B : {1U, 3U, 8U, 13U}) {  // fewer than shards, as many, and uneven ones
      const auto model = model_with(entry.name, 0);
      const Batch batch = random_batch(B, 7);
      const LossAndGradient sharded = computed(*model, batch, {1, 0, 0}, 2);
      const Var loss = cross_entropy((*model)(batch.inputs), batch.targets);
      backward(loss);
      // A sum of 8 partial losses; then sums of up to 91 products through two layers.
      EXPECT_NEAR(sharded.loss, static_cast<double>(loss.value()()), 20 * kEpsilon);
      const auto parameters = model->parameters();
      ASSERT_EQ(sharded.gradients.size(), parameters.size());
      double largest = 0;
      for (const NamedParameter& parameter : parameters)
        largest = std::max(largest, length(parameter.value.grad()));
      for (std::size_t i = 0; i < parameters.size(); ++i)
        EXPECT_LE(largest_difference(sharded.gradients[i], parameters[i].value.grad()) / largest,
                  100 * kEpsilon)
            << entry.name << ", " << parameters[i].path << ", batch " << B;
    }
}

/// A target counts for as much as any other that does, whether its shard has many or few.
REAL_TEST(LossAndGradient, leaves_out_targets_that_are_ignored) {
  for (const std::size_t B : {3U, 8U, 13U}) {
    const auto model = model_with("rope", 0);
    Batch batch = random_batch(B, 7);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t t = 0; t < b % 7; ++t) batch.targets(b, t) = kIgnore;
    const LossAndGradient sharded = computed(*model, batch, {1, 0, 0}, 2);
    const Var loss = cross_entropy((*model)(batch.inputs), batch.targets);
    backward(loss);
    // The bounds of the test above.
    EXPECT_NEAR(sharded.loss, static_cast<double>(loss.value()()), 20 * kEpsilon);
    const auto parameters = model->parameters();
    double largest = 0;
    for (const NamedParameter& parameter : parameters)
      largest = std::max(largest, length(parameter.value.grad()));
    for (std::size_t i = 0; i < parameters.size(); ++i)
      EXPECT_LE(largest_difference(sharded.gradients[i], parameters[i].value.grad()) / largest,
                100 * kEpsilon)
          << parameters[i].path << ", batch " << B;
  }
}

REAL_TEST(LossAndGradient, leaves_the_parameters_own_gradients_alone) {
  const auto model = model_with("learned", 0);
  computed(*model, random_batch(3, 7), {1, 0, 0}, 2);
  for (const NamedParameter& parameter : model->parameters())
    EXPECT_FALSE(parameter.value.has_grad()) << parameter.path;
}

REAL_TEST(LossAndGradient, draws_dropout_by_seed_step_and_pass) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = model_with(entry.name, 0.2);
    const Batch batch = random_batch(5, 7);
    const LossAndGradient first = computed(*model, batch, {1, 2, 3}, 2);
    EXPECT_TRUE(same_bits(computed(*model, batch, {1, 2, 3}, 2), first)) << entry.name;
    for (const PassName& other : {PassName{9, 2, 3}, PassName{1, 9, 3}, PassName{1, 2, 9},
                                  PassName{1, 2, 4}, PassName{1, 3, 2}})
      EXPECT_NE(computed(*model, batch, other, 2).loss, first.loss) << entry.name;
    const auto without = model_with(entry.name, 0);
    EXPECT_TRUE(
        same_bits(computed(*without, batch, {1, 2, 3}, 2), computed(*without, batch, {9, 9, 9}, 2)))
        << entry.name;
  }
}

/// The one row of a batch, twice.
Batch doubled(const Batch& row) {
  const std::size_t T = row.inputs.shape()[1];
  Batch twice = random_batch(2, T);
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t t = 0; t < T; ++t) {
      twice.inputs(b, t) = row.inputs(0, t);
      twice.targets(b, t) = row.targets(0, t);
    }
  return twice;
}

/// Two equal rows in two shards: with one stream for all shards they would drop the same units.
REAL_TEST(LossAndGradient, draws_another_dropout_for_every_shard) {
  const auto model = model_with("none", 0.5);
  const Batch row = random_batch(1, 7), twice = doubled(row);
  const double alone = computed(*model, row, {1, 2, 3}, 1).loss;
  EXPECT_GT(std::abs(computed(*model, twice, {1, 2, 3}, 1).loss - alone), 1e-3);
}

/// The loss of the second of two shards with equal rows is twice the whole less that of the first,
/// which a batch of one row has. No shard of a pass may draw what a shard of the next one draws.
REAL_TEST(LossAndGradient, draws_another_dropout_for_a_shard_and_for_those_of_the_next_pass) {
  const auto model = model_with("none", 0.5);
  const Batch row = random_batch(1, 7), twice = doubled(row);
  std::vector<double> losses;  // of both shards, pass by pass
  for (std::size_t micro = 0; micro < 3; ++micro) {
    const PassName name{1, 2, micro};
    losses.push_back(computed(*model, row, name, 1).loss);
    losses.push_back(2 * computed(*model, twice, name, 1).loss - losses.back());
  }
  for (std::size_t i = 0; i < losses.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(std::abs(losses[i] - losses[j]), 1e-3)
          << "shard " << i % 2 << " of pass " << i / 2 << ", shard " << j % 2 << " of pass "
          << j / 2;
}

REAL_TEST(LossAndGradient, draws_random_positions_by_seed_step_and_pass) {
  GptConfig config = tiny_config("alibi");
  config.random_positions = 50;
  const auto model = lively_model(config);
  const Batch batch = random_batch(3, 7);
  const double first = computed(*model, batch, {1, 2, 3}, 2).loss;
  EXPECT_EQ(computed(*model, batch, {1, 2, 3}, 2).loss, first);
  for (const PassName& other : {PassName{9, 2, 3}, PassName{1, 9, 3}, PassName{1, 2, 4}})
    EXPECT_GT(std::abs(computed(*model, batch, other, 2).loss - first), 1e-6)
        << other.seed << ", " << other.step << ", " << other.micro;
}

REAL_TEST(LossAndGradient, throws_what_a_shard_threw) {
  const auto model = model_with("learned", 0);
  for (const std::size_t threads : {1U, 3U})
    EXPECT_THROW(computed(*model, random_batch(5, 9), {1, 0, 0}, threads), PositionError);
}

REAL_TEST(GlobalNorm, is_the_root_of_all_squares) {
  EXPECT_EQ(global_norm({}), 0);
  EXPECT_EQ(global_norm({Tensor{1, -2}, full({2, 2}, 2), scalar(-2), zeros({0})}), 5);
  // In float 3e25 squared overflows; the sum is taken in double.
  EXPECT_NEAR(global_norm({full({1}, Real(3e25)), full({1}, Real(4e25))}) / 5e25, 1, 1e-6);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
