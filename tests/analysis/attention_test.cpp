#include "phasor/analysis/attention.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "labs/lab00_order/golden.hpp"
#include "labs/lab00_order/proof.hpp"
#include "phasor/core/error.hpp"

namespace phasor {
namespace {

using namespace lab00;  // the golden values

using lab00::wave;

// Some ten roundings of 1e-16 on numbers near 1; the golden values are correctly rounded sums.
constexpr double kRounding = 1e-14;

TEST(Attended, IsTheFormula) {
  EXPECT_LE(largest_difference(lab00::probe(attended, false, 1), matrix_of(kGoldenOpen, 2)),
            kRounding);
  EXPECT_LE(largest_difference(lab00::probe(attended, true, 1), matrix_of(kGoldenMasked, 2)),
            kRounding);
  // Logits near 1000 are known to 1e-13, and so are exponentials of their differences.
  EXPECT_LE(largest_difference(lab00::probe(attended, false, 1000), matrix_of(kGoldenLarge, 2)),
            1e-11);
}

TEST(Attended, HiddenKeysWeighNothing) {
  const xt::xarray<double> weights = lab00::probe_weights(attended);
  EXPECT_EQ(lab00::largest_hidden(weights), 0);
  EXPECT_LE(lab00::largest_sum_error(weights), kRounding);
}

TEST(Attended, RefusesShapesThatDoNotFit) {
  EXPECT_THROW(attended(wave(4, 3, 0), wave(5, 2, 0), wave(5, 2, 0), full_mask(4)), ShapeError);
  EXPECT_THROW(attended(wave(4, 3, 0), wave(5, 3, 0), wave(4, 2, 0), lab00::probe_mask(false)),
               ShapeError);
  EXPECT_THROW(attended(wave(4, 3, 0), wave(5, 3, 0), wave(5, 2, 0), full_mask(4)), ShapeError);
}

TEST(Masks, ShowWhatTheySay) {
  EXPECT_EQ(full_mask(2), (xt::xarray<double>{{1, 1}, {1, 1}}));
  EXPECT_EQ(causal_mask(3), (xt::xarray<double>{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}));
}

TEST(Permuted, TakesRowsInTheOrderGiven) {
  const xt::xarray<double> x = {{0, 1}, {10, 11}, {20, 21}};
  EXPECT_EQ(permuted(x, {1, 2, 0}), (xt::xarray<double>{{10, 11}, {20, 21}, {0, 1}}));
  EXPECT_EQ(inverse_order({1, 2, 0}), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_EQ(permuted(permuted(x, {1, 2, 0}), inverse_order({1, 2, 0})), x);
  EXPECT_THROW(permuted(x, {0, 1}), ShapeError);
  EXPECT_THROW(permuted(x, {0, 1, 1}), ShapeError);
  EXPECT_THROW(permuted(x, {0, 1, 3}), ShapeError);
}

/// The two layers of tests/golden/lab00_order.py.
std::vector<AttentionLayer> golden_layers() {
  std::vector<AttentionLayer> layers;
  for (const double salt : {20.0, 24.0})
    layers.push_back(
        {wave(4, 4, salt), wave(4, 4, salt + 1), wave(4, 4, salt + 2), wave(4, 4, salt + 3)});
  return layers;
}

TEST(Stack, TwoCausalLayersEqualNumPy) {
  const xt::xarray<double> words = wave(4, 4, 10);
  const auto check = [&](const std::vector<std::size_t>& order, const auto& last,
                         const auto& weights) {
    const StackPass pass = run_stack(golden_layers(), permuted(words, order), causal_mask(4));
    ASSERT_EQ(pass.outputs.size(), 2u);
    // Two layers on numbers near 1: some forty roundings.
    for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(pass.outputs[1](3, c), last[c], kRounding);
    EXPECT_LE(largest_difference(pass.weights[1], matrix_of(weights, 4)), kRounding);
  };
  check({0, 1, 2, 3}, kGoldenStackFirst, kGoldenStackWeightsFirst);
  check({2, 1, 0, 3}, kGoldenStackSecond, kGoldenStackWeightsSecond);
}

TEST(Stack, UsesTheAttentionItIsGiven) {
  const AttentionFunction none = [](const auto& q, const auto&, const auto& v, const auto&) {
    return xt::xarray<double>(xt::zeros<double>({q.shape(0), v.shape(1)}));
  };
  const xt::xarray<double> words = wave(4, 4, 10);
  EXPECT_EQ(run_stack(golden_layers(), words, full_mask(4), none).outputs[1], words);
}

TEST(RandomLayers, ADeeperStackBeginsWithTheSameLayers) {
  const auto one = random_layers(3, 1, 8), three = random_layers(3, 3, 8);
  EXPECT_EQ(one[0].query, three[0].query);
  EXPECT_EQ(one[0].output, three[0].output);
  EXPECT_NE(three[0].query, three[1].query);
  EXPECT_NE(random_layers(4, 1, 8)[0].query, one[0].query);
  EXPECT_NE(random_tokens(3, 4, 8), random_tokens(4, 4, 8));
}

}  // namespace
}  // namespace phasor
