// What stands around any scheme: random positions and dropped rotations.
#include <set>

#include "phasor/position/dropped.hpp"
#include "phasor/position/kernel.hpp"
#include "phasor/position/random_positions.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

REAL_TEST(RandomPositions, are_sorted_different_and_every_set_equally_likely) {
  Rng rng(3, "test");
  std::map<Positions, int> seen;
  constexpr int kDraws = 6000;
  for (int i = 0; i < kDraws; ++i) {
    const Positions drawn = random_positions(2, 4, rng);
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_LT(drawn[0], drawn[1]);
    EXPECT_GE(drawn[0], 0);
    EXPECT_LT(drawn[1], 4);
    ++seen[drawn];
  }
  EXPECT_EQ(seen.size(), 6U);
  for (const auto& [set, count] : seen)  // 1000 each; five deviations are 5 sqrt(833) = 144
    EXPECT_NEAR(count, kDraws / 6, 144) << fmt::format("{}", set);
  EXPECT_EQ(random_positions(4, 4, rng), consecutive_positions(4));
  expect_error<PositionError>([&] { random_positions(5, 4, rng); },
                              {"5 tokens", "4 random positions", "--random-positions"});
}

REAL_TEST(RandomPositions, spread_over_the_whole_range_where_texts_are_read) {
  EXPECT_EQ(spread_positions(4, 10), (Positions{0, 2, 5, 7}));
  EXPECT_EQ(spread_positions(3, 3), consecutive_positions(3));
  expect_error<PositionError>([] { spread_positions(11, 10); }, {"11 tokens", "window of 10"});
}

REAL_TEST(RandomPositions, are_where_a_model_puts_its_tokens) {
  GptConfig config = tiny_config("learned");
  config.random_positions = 20;
  const auto model = lively_model(config);
  EXPECT_EQ(model->scheme().traits().max_positions, 20U);
  const Indices tokens = random_tokens(2, 5, 11);
  const Tensor read = (*model)(tokens).value();
  const Tensor told = (*model)(tokens, {.positions = {0, 4, 8, 12, 16}}).value();
  EXPECT_TRUE(identical(read, told));
  expect_error<PositionError>([&] { (*model)(random_tokens(1, 21, 11)); }, {"21 tokens"});
}

REAL_TEST(DroppedPositions, leave_a_model_as_if_it_had_no_scheme) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const auto none = lively_model(tiny_config("none"));
    const bool expected = entry.name == "rope" || entry.name == "p_rope" || entry.name == "xpos";
    EXPECT_EQ(model->can_drop_positions(), expected) << entry.name;
    if (!expected) {
      expect_error<ConfigError>([&] { model->drop_positions(); },
                                {entry.name, "cannot be dropped"});
      continue;
    }
    const Indices tokens = random_tokens(2, 7, 11);
    EXPECT_FALSE(identical((*model)(tokens).value(), (*none)(tokens).value())) << entry.name;
    model->drop_positions();
    EXPECT_TRUE(identical((*model)(tokens).value(), (*none)(tokens).value())) << entry.name;
  }
}

/// 1 + c ln(l / L) on logits, beyond the trained length alone.
REAL_TEST(DroppedPositions, sharpen_attention_with_the_logarithm_of_the_length) {
  const auto scheme = dropped_positions(0.4, 8);
  const Var q(normal({1, 2, 3, 4})), k(normal({1, 2, 3, 4}, 2));
  const auto factor = [&](double last) {
    const Positions positions{0, 1, last};
    const QK rotated = scheme->rotate(q, k, {positions, positions, 1, true});
    EXPECT_TRUE(identical(rotated.k.value(), k.value()));
    return static_cast<double>(rotated.q.value().data()[5] / q.value().data()[5]);
  };
  EXPECT_EQ(factor(7), 1);
  EXPECT_NEAR(factor(31), 1 + 0.4 * std::log(4.0), 8 * kEpsilon);
}

/// A shift of positions moves a relative scheme's kernel along its diagonals.
REAL_TEST(Kernel, of_relative_schemes_is_toeplitz_where_content_is_constant) {
  for (const SchemeEntry& entry : schemes()) {
    const SchemeSizes sizes{kC, kH, 64};
    Rng rng(1);
    const auto scheme = make_scheme(entry.name, {}, sizes, rng);
    nudge(*scheme, 0.1);
    const Tensor kernel = score_kernel(*scheme, sizes, consecutive_positions(9), true);
    ASSERT_EQ(shape_of(kernel), (Shape{kH, 9, 9})) << entry.name;
    for (std::size_t h = 0; h < kH; ++h)
      for (std::size_t m = 0; m < 9; ++m)
        for (std::size_t n = 0; n < 9; ++n) {
          EXPECT_EQ(std::isnan(kernel(h, m, n)), n > m) << entry.name;
          if (n > m || m == 0 || n == 0 || !scheme->traits().is_relative) continue;
          EXPECT_NEAR(kernel(h, m, n), kernel(h, m - 1, n - 1), 2e4 * kEpsilon) << entry.name;
        }
  }
}

/// Of `none` all scores are |1|^2 / sqrt(D); of `sinusoidal` PE(m) . PE(n) / sqrt(D).
REAL_TEST(Kernel, has_the_values_that_can_be_worked_out_by_hand) {
  Rng rng(1);
  const SchemeSizes sizes{8, 2, 16};
  const auto kernel = [&](const std::string& name) {
    return score_kernel(*make_scheme(name, {}, sizes, rng), sizes, consecutive_positions(4), false);
  };
  EXPECT_NEAR(kernel("none")(1, 0, 3), 2, 4 * kEpsilon);
  EXPECT_NEAR(kernel("sinusoidal")(0, 3, 1), (std::cos(2.0) + std::cos(0.2)) / 2, 16 * kEpsilon);
  EXPECT_NEAR(kernel("alibi")(1, 3, 1), 2 - 2.0 / 256, 4 * kEpsilon);
}

/// The weights of one pairing serve the other, with the columns of each head in another order.
REAL_TEST(Pairing, of_trained_weights_can_be_converted) {
  GptConfig interleaved = tiny_config("rope"), half = interleaved;
  half.options = {{"pairing", "half"}};
  const auto model = lively_model(interleaved), other = lively_model(half);
  const Indices tokens = random_tokens(2, 7, 11);
  const Tensor wanted = (*model)(tokens).value();
  EXPECT_GT(relative_difference((*other)(tokens).value(), wanted), 1e-2);
  const std::size_t D = 4;
  for (NamedParameter& parameter : other->parameters()) {
    const bool is_rotated = parameter.path.find("attention.query.") != std::string::npos ||
                            parameter.path.find("attention.key.") != std::string::npos;
    if (!is_rotated) continue;
    Tensor& value = parameter.value.mutable_value();  // [C, C] or [C]: rows are columns of heads
    const Tensor before = value;
    const std::size_t row = value.size() / 12;
    for (std::size_t i = 0; i < 12; ++i) {
      const std::size_t c = i % D, from = i - c + (c < D / 2 ? 2 * c : 2 * (c - D / 2) + 1);
      std::copy_n(before.data() + from * row, row, value.data() + i * row);
    }
  }
  EXPECT_LE(relative_difference((*other)(tokens).value(), wanted), 1e3 * kEpsilon);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
