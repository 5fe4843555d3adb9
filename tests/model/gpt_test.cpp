// The model's forward pass: causality, positions, batches, dropout, errors.
#include "phasor/model/gpt.hpp"

#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kB = 2, kT = 7, kV = 11;
// Two layers of sums of up to 24 products, logits of order ten, and angles that were shifted.
constexpr double kSame = 1e4 * kEpsilon;

Tensor logits_of(const Gpt& model, const Indices& tokens, const ForwardOptions& options = {}) {
  return model(tokens, options).value();
}

REAL_TEST(Gpt, gives_logits_for_every_token) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const Tensor logits = logits_of(*model, random_tokens(kB, kT, kV));
    EXPECT_EQ(shape_of(logits), (Shape{kB, kT, kV})) << entry.name;
    EXPECT_EQ(shape_of(logits_of(*model, random_tokens(3, 1, kV))), (Shape{3, 1, kV}));
  }
}

/// Weights of the future are exactly zero, so nothing may differ, not by a bit.
REAL_TEST(Gpt, the_future_does_not_reach_the_past) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const Indices tokens = random_tokens(kB, kT, kV);
    const Tensor before = logits_of(*model, tokens);
    for (std::size_t changed = 0; changed < kT; ++changed) {
      Indices other = tokens;
      other(1, changed) = (other(1, changed) + 1) % static_cast<std::int64_t>(kV);
      const Tensor after = logits_of(*model, other);
      for (std::size_t b = 0; b < kB; ++b)
        for (std::size_t t = 0; t < kT; ++t) {
          double difference = 0;
          for (std::size_t v = 0; v < kV; ++v)
            difference =
                larger(difference, static_cast<double>(std::abs(after(b, t, v) - before(b, t, v))));
          if (b == 1 && t >= changed)
            EXPECT_GT(difference, 1e-3) << entry.name << ": " << changed << " is not seen at " << t;
          else
            EXPECT_EQ(difference, 0) << entry.name << ": " << changed << " is seen at " << t;
        }
    }
  }
}

REAL_TEST(Gpt, reads_each_sequence_of_a_batch_alone) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const Indices tokens = random_tokens(kB, kT, kV);
    const Tensor together = logits_of(*model, tokens);
    for (std::size_t b = 0; b < kB; ++b) {
      Indices alone = Indices::from_shape({1, kT});
      for (std::size_t t = 0; t < kT; ++t) alone(0, t) = tokens(b, t);
      Tensor wanted = empty({1, kT, kV});
      std::copy_n(together.data() + b * kT * kV, kT * kV, wanted.data());
      EXPECT_LE(relative_difference(logits_of(*model, alone), wanted), kSame) << entry.name;
    }
  }
}

REAL_TEST(Gpt, counts_positions_from_zero_unless_told) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const Indices tokens = random_tokens(kB, kT, kV);
    const Tensor before = logits_of(*model, tokens);
    const Tensor told = logits_of(*model, tokens, {.positions = consecutive_positions(kT)});
    EXPECT_TRUE(identical(told, before)) << entry.name;
    // fire notices a shift only beyond its threshold, the training context.
    const double shift = model->scheme().traits().max_positions ? 1 : 100;
    const Tensor later = logits_of(*model, tokens, {.positions = consecutive_positions(kT, shift)});
    if (model->scheme().traits().is_relative)
      EXPECT_LE(relative_difference(later, before), kSame) << entry.name;
    else
      EXPECT_GT(relative_difference(later, before), 1e-2) << entry.name;
  }
}

REAL_TEST(Gpt, a_long_input_leaves_no_trace_in_a_short_one) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const auto fresh = lively_model(tiny_config(entry.name));
    const Indices tokens = random_tokens(kB, kT, kV), few = random_tokens(3, 2, kV, 9);
    const Tensor before = logits_of(*model, tokens);
    EXPECT_TRUE(identical(logits_of(*model, few), logits_of(*fresh, few))) << entry.name;
    EXPECT_TRUE(identical(logits_of(*model, tokens), before)) << entry.name;
  }
}

REAL_TEST(Gpt, ends_where_its_scheme_does) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const auto limit = model->scheme().traits().max_positions;
    const Indices tokens = random_tokens(1, limit.value_or(8) + 1, kV);
    if (limit)
      expect_error<PositionError>([&] { (*model)(tokens); },
                                  {"[" + entry.name + "]", std::to_string(*limit)});
    else
      EXPECT_NO_THROW((*model)(tokens)) << entry.name;
  }
}

REAL_TEST(Gpt, drops_out_only_with_a_generator) {
  for (const SchemeEntry& entry : schemes()) {
    GptConfig config = tiny_config(entry.name);
    const auto without = lively_model(config);
    config.dropout = 0.3;
    const auto model = lively_model(config);
    const Indices tokens = random_tokens(kB, kT, kV);
    const Tensor evaluated = logits_of(*model, tokens);
    EXPECT_TRUE(identical(evaluated, logits_of(*without, tokens))) << entry.name;
    const auto trained = [&](const Gpt& which, std::uint64_t step) {
      Rng rng(1, "dropout", step);
      return logits_of(which, tokens, {.dropout_rng = &rng});
    };
    EXPECT_TRUE(identical(trained(*model, 1), trained(*model, 1))) << entry.name;
    EXPECT_GT(relative_difference(trained(*model, 1), trained(*model, 2)), 0.01) << entry.name;
    EXPECT_GT(relative_difference(trained(*model, 1), evaluated), 0.01) << entry.name;
    EXPECT_TRUE(identical(trained(*without, 1), evaluated)) << entry.name;
  }
}

REAL_TEST(Gpt, drops_out_in_four_places) {
  // After the embedding, on the weights of attention, and on what both parts of a block add.
  GptConfig config = tiny_config("none");
  config.dropout = 0.5;
  const auto model = lively_model(config);
  std::vector<Shape> seen;
  const ObserveOps watch([&](const Var& result, const std::vector<Var>&) {
    if (std::string(result.name()) == "dropout") seen.push_back(result.shape());
  });
  Rng rng(1);
  (*model)(random_tokens(kB, kT, kV), {.dropout_rng = &rng});
  const Shape stream{kB, kT, 12}, weights{kB, 3, kT, kT};
  EXPECT_EQ(seen, (std::vector<Shape>{stream, weights, stream, stream, weights, stream, stream}));
}

REAL_TEST(Gpt, refuses_what_are_no_tokens) {
  const auto model = lively_model(tiny_config("none"));
  Indices tokens = random_tokens(kB, kT, kV);
  tokens(0, 3) = kV;
  expect_error<DataError>([&] { (*model)(tokens); }, {"11"});
  tokens(0, 3) = -1;
  expect_error<DataError>([&] { (*model)(tokens); }, {"-1"});
  const auto refuse = [&](const Shape& shape, const std::string& part) {
    Indices zeros_of = Indices::from_shape(shape);
    zeros_of.fill(0);
    expect_error<ShapeError>([&] { (*model)(zeros_of); }, {"[gpt]", part});
  };
  refuse({kT}, "[7]");
  refuse({1, 2, 3}, "[1, 2, 3]");
  refuse({2, 0}, "[2, 0]");
  expect_error<ShapeError>(
      [&] { (*model)(random_tokens(kB, kT, kV), {.positions = consecutive_positions(kT - 1)}); },
      {"[gpt]", "7 tokens", "got 6"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
