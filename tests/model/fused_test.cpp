// A model whose scheme says what it adds to the logits computes attention in one op. It must be the
// model that goes through every hook.
#include <map>

#include "phasor/ops/cross_entropy.hpp"
#include "tests/model/tiny.hpp"
#include "tests/position/step_by_step.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kB = 2, kT = 37;  // more than a block of queries

const std::vector<std::string> kNames{"none", "rope", "alibi", "t5_bias", "fire"};

GptConfig config_of(const std::string& scheme) {
  GptConfig config = tiny_config(scheme);
  config.context = 40;
  return config;
}

/// Two models of the same weights, through the one op and through the hooks.
struct Pair {
  explicit Pair(const std::string& scheme, double dropout = 0) : entry(scheme) {
    GptConfig config = config_of(scheme);
    config.dropout = dropout;
    fused = lively_model(config);
    config.scheme = StepByStepEntry::name();
    stepwise = lively_model(config);
  }
  StepByStepEntry entry;
  std::unique_ptr<Gpt> fused, stepwise;
};

/// How often each op was called in `work`.
template <class Work>
std::map<std::string, std::size_t> ops_of(Work work) {
  std::map<std::string, std::size_t> calls;
  const ObserveOps observe(
      [&](const Var& result, const std::vector<Var>&) { ++calls[result.name()]; });
  work();
  return calls;
}

// Each way errs by a few roundings of each number: of weights, of sums of up to 37 products,
// through two layers. 3 were seen.
constexpr double kRounding = 20 * kEpsilon;

REAL_TEST(FusedAttention, is_taken_and_left_as_the_scheme_says) {
  const Indices tokens = random_tokens(kB, kT, 11);
  for (const std::string& name : kNames) {
    const Pair pair(name);
    auto calls = ops_of([&] { (*pair.fused)(tokens); });
    EXPECT_EQ(calls["attention"], 2U) << name << ": one for each layer";
    EXPECT_EQ(calls["softmax"], 0U) << name;
    calls = ops_of([&] { (*pair.stepwise)(tokens); });
    EXPECT_EQ(calls["attention"], 0U) << name;
    EXPECT_EQ(calls["softmax"], 2U) << name;
  }
}

REAL_TEST(FusedAttention, has_the_logits_of_the_hooks) {
  const Indices tokens = random_tokens(kB, kT, 11);
  double largest = 0;
  for (const std::string& name : kNames) {
    const Pair pair(name);
    const double difference =
        relative_difference((*pair.fused)(tokens).value(), (*pair.stepwise)(tokens).value());
    EXPECT_LE(difference, kRounding) << name;
    largest = larger(largest, difference);
  }
  std::printf("  largest difference %.1f epsilon\n", largest / kEpsilon);
}

REAL_TEST(FusedAttention, has_the_gradients_of_the_hooks) {
  const Indices tokens = random_tokens(kB, kT, 11), targets = random_tokens(kB, kT, 11, 2);
  double worst = 0;
  for (const std::string& name : kNames) {
    const Pair pair(name);
    for (const Gpt* model : {pair.fused.get(), pair.stepwise.get()})
      backward(cross_entropy((*model)(tokens), targets));
    const auto got = pair.fused->parameters(), wanted = pair.stepwise->parameters();
    ASSERT_EQ(got.size(), wanted.size());
    double largest = 0;  // a key's bias has no influence: its gradient is all rounding
    for (const NamedParameter& parameter : wanted)
      for (const Real value : parameter.value.grad())
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_TRUE(identical(got[i].value.value(), wanted[i].value.value())) << got[i].path;
      const double difference =
          largest_difference(got[i].value.grad(), wanted[i].value.grad()) / largest;
      EXPECT_LE(difference, kRounding) << name << ", " << got[i].path;
      worst = larger(worst, difference);
    }
  }
  std::printf("  largest difference %.1f epsilon\n", worst / kEpsilon);
}

/// The first tokens at once, then several, then one: more keys than queries.
Tensor cached(const Gpt& model, const Indices& tokens, double first) {
  const NoGrad no_grad;
  KeyValueCache cache;
  std::vector<Var> logits;
  for (const auto& [from, to] : {std::pair{0U, 20U}, std::pair{20U, 36U}, std::pair{36U, 37U}})
    logits.push_back(
        model(columns(tokens, from, to),
              {.positions = consecutive_positions(to - from, first + from), .cache = &cache}));
  return concatenate(logits, 1).value();
}

REAL_TEST(FusedAttention, has_the_logits_of_the_hooks_over_a_cache) {
  const Indices tokens = random_tokens(kB, kT, 11);
  for (const std::string& name : kNames) {
    const Pair pair(name);
    for (const double first : {0.0, 3.0}) {
      const Tensor got = cached(*pair.fused, tokens, first);
      EXPECT_LE(relative_difference(got, cached(*pair.stepwise, tokens, first)), kRounding)
          << name << " from " << first;
      const Var whole = (*pair.fused)(tokens, {.positions = consecutive_positions(kT, first)});
      EXPECT_LE(relative_difference(got, whole.value()), kRounding) << name << " from " << first;
    }
  }
}

REAL_TEST(FusedAttention, has_the_logits_of_the_hooks_at_positions_with_gaps) {
  const Indices tokens = random_tokens(kB, 4, 11);
  for (const std::string& name : kNames) {
    const Pair pair(name);
    const ForwardOptions options{.positions = {0, 2, 5, 9}};
    EXPECT_LE(relative_difference((*pair.fused)(tokens, options).value(),
                                  (*pair.stepwise)(tokens, options).value()),
              kRounding)
        << name;
  }
}

/// Weights are dropped one by one, which the one op cannot do.
REAL_TEST(FusedAttention, is_left_for_dropout) {
  const Indices tokens = random_tokens(kB, kT, 11);
  for (const std::string& name : kNames) {
    const Pair pair(name, 0.2);
    std::vector<Tensor> logits;
    for (const Gpt* model : {pair.fused.get(), pair.stepwise.get()}) {
      Rng rng(3, "dropout");
      auto calls =
          ops_of([&] { logits.push_back((*model)(tokens, {.dropout_rng = &rng}).value()); });
      EXPECT_EQ(calls["attention"], 0U) << name;
      EXPECT_EQ(calls["softmax"], 2U) << name;
    }
    EXPECT_TRUE(identical(logits[0], logits[1])) << name;
  }
}

/// With the biases that go by distance, nothing in a training step grows with the square of the
/// length.
REAL_TEST(FusedAttention, holds_nothing_for_every_pair) {
  constexpr std::size_t T = 600;
  const Indices tokens = random_tokens(1, T, 11), targets = random_tokens(1, T, 11, 2);
  for (const char* name : {"none", "rope", "alibi", "t5_bias", "sinusoidal", "xpos"}) {
    GptConfig config = config_of(name);
    config.context = T;
    const auto model = initial_model(config);
    std::size_t largest = 0;
    const ObserveOps observe([&](const Var& result, const std::vector<Var>& inputs) {
      for (const Var& input : inputs)
        if (input) largest = std::max(largest, input.size());
      largest = std::max(largest, result.size());
    });
    const Var loss = cross_entropy((*model)(tokens), targets);
    EXPECT_LT(largest, T * T / 4) << name;
    EXPECT_GE(largest, T * config.width) << name;
    backward(loss);
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
