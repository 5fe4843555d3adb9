// What a recorded pass hands out, and that recording changes no number; models that see the future.
#include "phasor/ops/matmul.hpp"
#include "phasor/ops/softmax.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kB = 2, kT = 8;

/// A pass and what it recorded.
struct Recorded {
  Tensor logits;
  Recording recording;
};
Recorded recorded(const Gpt& model, const Indices& tokens, const Positions& positions = {}) {
  const NoGrad no_grad;
  Recorded result;
  result.logits = model(tokens, {.positions = positions, .recording = &result.recording}).value();
  return result;
}

Tensor plain(const Gpt& model, const Indices& tokens, const Positions& positions = {}) {
  const NoGrad no_grad;
  return model(tokens, {.positions = positions}).value();
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const SchemeEntry& entry : schemes()) names.push_back(entry.name);
  return names;
}

// The fused way and the hooks err by a few roundings each, through two layers; see fused_test.cpp.
constexpr double kRounding = 20 * kEpsilon;

REAL_TEST(Recording, changes_no_logit_of_any_scheme) {
  const Indices tokens = random_tokens(kB, kT, 11);
  for (const std::string& name : scheme_names()) {
    const auto model = lively_model(tiny_config(name));
    EXPECT_LE(relative_difference(recorded(*model, tokens).logits, plain(*model, tokens)),
              kRounding)
        << name;
  }
}

REAL_TEST(Recording, weights_sum_to_one_and_hide_the_future) {
  const Indices tokens = random_tokens(kB, kT, 11);
  for (const std::string& name : scheme_names()) {
    const auto model = lively_model(tiny_config(name));
    const Recording recording = recorded(*model, tokens).recording;
    ASSERT_EQ(recording.layers.size(), 2U);
    for (const LayerRecord& layer : recording.layers) {
      ASSERT_EQ(shape_of(layer.weights), Shape({kB, 3, kT, kT})) << name;
      ASSERT_EQ(shape_of(layer.logits), shape_of(layer.weights)) << name;
      for (std::size_t row = 0; row < kB * 3 * kT; ++row) {
        const Real* weights = layer.weights.data() + row * kT;
        double sum = 0;
        for (std::size_t s = 0; s < kT; ++s) {
          sum += static_cast<double>(weights[s]);
          if (s > row % kT) {
            EXPECT_EQ(weights[s], 0) << name;
          }
        }
        EXPECT_NEAR(sum, 1, kT * kEpsilon) << name;  // a rounding for every term
      }
    }
  }
}

REAL_TEST(Recording, weights_are_what_the_output_was_made_of) {
  const Indices tokens = random_tokens(kB, kT, 11);
  for (const std::string& name : scheme_names()) {
    const auto model = lively_model(tiny_config(name));
    for (const LayerRecord& layer : recorded(*model, tokens).recording.layers) {
      const NoGrad no_grad;
      EXPECT_TRUE(identical(softmax(Var(layer.logits)).value(), layer.weights)) << name;
      const Tensor mixed = matmul(Var(layer.weights), Var(layer.values)).value();
      // Shaw's scheme adds to the values what it has learned of distances.
      EXPECT_EQ(identical(mixed, layer.mixed), name != "shaw") << name;
    }
  }
}

REAL_TEST(Recording, keeps_the_stream_from_block_to_block) {
  const Indices tokens = random_tokens(kB, kT, 11);
  const auto model = lively_model(tiny_config("none"));
  const Recording recording = recorded(*model, tokens).recording;
  const Tensor table = model->parameters().front().value.value();
  for (std::size_t t = 0; t < kT; ++t)
    for (std::size_t c = 0; c < 12; ++c)  // without positions, the token's vector alone
      EXPECT_EQ(recording.layers[0].stream(1, t, c),
                table(static_cast<std::size_t>(tokens(1, t)), c));
  EXPECT_FALSE(identical(recording.layers[1].stream, recording.layers[0].stream));
  EXPECT_FALSE(identical(recording.stream, recording.layers[1].stream));
  EXPECT_EQ(shape_of(recording.stream), Shape({kB, kT, 12}));
}

REAL_TEST(Recording, begins_anew_with_every_pass) {
  const auto model = lively_model(tiny_config("rope"));
  Recording recording;
  for (const std::size_t T : {5, 3}) {
    const NoGrad no_grad;
    (*model)(random_tokens(1, T, 11), {.recording = &recording});
    ASSERT_EQ(recording.layers.size(), 2U);
    EXPECT_EQ(recording.layers[1].weights.shape(3), T);
  }
}

GptConfig unmasked_config(const std::string& scheme) {
  GptConfig config = tiny_config(scheme);
  config.causal = false;
  return config;
}

REAL_TEST(Unmasked, a_later_token_changes_earlier_logits) {
  const Indices tokens = random_tokens(1, kT, 11);
  Indices other = tokens;
  other(0, kT - 1) = (tokens(0, kT - 1) + 1) % 11;
  for (const std::string& name : scheme_names()) {
    const auto causal = lively_model(tiny_config(name));
    if (causal->scheme().traits().causal_only) {
      const auto model = lively_model(unmasked_config(name));
      EXPECT_THROW(plain(*model, tokens), ConfigError) << name;
      continue;
    }
    const auto unmasked = lively_model(unmasked_config(name));
    for (const bool sees_it : {false, true}) {
      const Gpt& model = sees_it ? *unmasked : *causal;
      const Tensor before = plain(model, tokens), after = plain(model, other);
      EXPECT_EQ(before(0, 0, 0) != after(0, 0, 0), sees_it) << name;
    }
    EXPECT_LE(relative_difference(recorded(*unmasked, tokens).logits, plain(*unmasked, tokens)),
              kRounding)
        << name;
  }
}

REAL_TEST(Unmasked, without_positions_is_blind_to_order) {
  const auto model = lively_model(unmasked_config("none"));
  const Indices tokens = random_tokens(1, kT, 11);
  Indices reversed = tokens;
  for (std::size_t t = 0; t < kT; ++t) reversed(0, t) = tokens(0, kT - 1 - t);
  const Tensor there = plain(*model, tokens), back = plain(*model, reversed);
  for (std::size_t t = 0; t < kT; ++t)
    for (std::size_t v = 0; v < 11; ++v)  // the same sums in another order
      EXPECT_NEAR(there(0, t, v), back(0, kT - 1 - t, v), 100 * kEpsilon);
}

REAL_TEST(Unmasked, does_not_go_on_token_by_token) {
  const auto model = lively_model(unmasked_config("rope"));
  KeyValueCache cache;
  expect_error<ConfigError>([&] { (*model)(random_tokens(1, 3, 11), {.cache = &cache}); },
                            {"sees the future", "all tokens at once"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
