// Generation against a loop without a cache, and the ways to draw a token.
#include "phasor/model/generate.hpp"

#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using Tokens = std::vector<std::int32_t>;

constexpr std::size_t kV = 11, kContext = 8;
const Tokens kPrompt{3, 1, 4};
const Sampling kGreedy{.temperature = 0};

/// Logits of the token after `text`, computed anew.
Tensor next_logits(const Gpt& model, const Tokens& text) {
  Indices tokens = Indices::from_shape({1, text.size()});
  std::copy(text.begin(), text.end(), tokens.begin());
  const Tensor all = model(tokens).value();
  Tensor last = empty({kV});
  std::copy_n(all.data() + (text.size() - 1) * kV, kV, last.data());
  return last;
}

/// Greedy text without a cache. Where the window would grow beyond `context`, its last
/// context / 2 tokens, the new one among them, become a new window.
Tokens naive_greedy(const Gpt& model, const Tokens& prompt, std::size_t count,
                    std::size_t context) {
  Tokens window, result, incoming = prompt;
  while (result.size() < count) {
    const bool fits = window.size() + incoming.size() <= context;
    window.insert(window.end(), incoming.begin(), incoming.end());
    if (!fits)
      window.erase(window.begin(), window.end() - static_cast<std::ptrdiff_t>(context / 2));
    const Tensor logits = next_logits(model, window);
    incoming = {
        static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin())};
    result.push_back(incoming.front());
  }
  return result;
}

REAL_TEST(Generate, is_the_same_as_without_a_cache) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    for (const Tokens& prompt :
         {kPrompt, Tokens{5}, Tokens(kContext, 2), Tokens{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}}) {
      const Tokens text = generate(*model, prompt, 30, kGreedy);
      EXPECT_EQ(text, naive_greedy(*model, prompt, 30, kContext)) << entry.name;
      EXPECT_EQ(text, generate(*model, prompt, 30, kGreedy)) << entry.name;
      EXPECT_EQ(Tokens(text.begin(), text.begin() + 5), generate(*model, prompt, 5, kGreedy));
    }
  }
}

REAL_TEST(Generate, runs_on_beyond_the_context_where_the_scheme_can) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    Sampling sampling = kGreedy;
    sampling.beyond_context = true;
    if (const auto limit = model->scheme().traits().max_positions) {
      expect_error<PositionError>([&] { generate(*model, kPrompt, 30, sampling); },
                                  {"[" + entry.name + "]", std::to_string(*limit)});
      // 3 of the prompt and 5 more are read; the one after those is drawn, but never read.
      EXPECT_EQ(generate(*model, kPrompt, *limit - 2, sampling).size(), *limit - 2);
      expect_error<PositionError>([&] { generate(*model, kPrompt, *limit - 1, sampling); }, {});
    } else {
      EXPECT_EQ(generate(*model, kPrompt, 30, sampling), naive_greedy(*model, kPrompt, 30, 1000))
          << entry.name;
    }
  }
}

REAL_TEST(Generate, windows_of_one_token_go_on_as_well) {
  for (const SchemeEntry& entry : schemes())
    for (const std::size_t context : {1U, 2U, 3U}) {
      GptConfig config = tiny_config(entry.name);
      config.context = context;
      EXPECT_EQ(generate(*lively_model(config), kPrompt, 9, kGreedy).size(), 9U) << entry.name;
    }
}

REAL_TEST(Generate, draws_by_the_seed) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const Tokens first = generate(*model, kPrompt, 30, {.seed = 1});
    EXPECT_EQ(first, generate(*model, kPrompt, 30, {.seed = 1})) << entry.name;
    EXPECT_NE(first, generate(*model, kPrompt, 30, {.seed = 2})) << entry.name;
    EXPECT_EQ(generate(*model, kPrompt, 30, {.top_k = 1, .seed = 3}),
              generate(*model, kPrompt, 30, kGreedy))
        << entry.name;
    // Logits are of order one: divided by 1e-6 the likeliest is certain.
    EXPECT_EQ(generate(*model, kPrompt, 30, {.temperature = 1e-6, .seed = 3}),
              generate(*model, kPrompt, 30, kGreedy))
        << entry.name;
  }
}

REAL_TEST(Generate, tells_each_token_and_stops_when_asked) {
  const auto model = lively_model(tiny_config("alibi"));
  Tokens told;
  const Tokens all = generate(*model, kPrompt, 12, {},
                              [&](std::int32_t token) { return told.push_back(token), true; });
  EXPECT_EQ(told, all);
  for (const std::size_t stop : {1U, 4U, 12U}) {
    told.clear();
    const Tokens some = generate(*model, kPrompt, 12, {}, [&](std::int32_t token) {
      told.push_back(token);
      return told.size() < stop;
    });
    EXPECT_EQ(some, told);
    EXPECT_EQ(some, Tokens(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(stop)));
  }
  EXPECT_TRUE(generate(*model, kPrompt, 0, {}, [](std::int32_t) {
                ADD_FAILURE() << "no token was asked for";
                return true;
              }).empty());
}

REAL_TEST(Generate, refuses_what_makes_no_sense) {
  const auto model = lively_model(tiny_config("none"));
  expect_error<DataError>([&] { generate(*model, {}, 5, kGreedy); }, {"prompt is empty"});
  expect_error<DataError>([&] { generate(*model, {}, 0, kGreedy); }, {"prompt is empty"});
  expect_error<DataError>([&] { generate(*model, {3, 11}, 5, kGreedy); }, {"11"});
  for (const double temperature : {-1.0, std::nan("")})
    expect_error<ConfigError>([&] { generate(*model, kPrompt, 5, {.temperature = temperature}); },
                              {"--temperature", fmt::format("{}", temperature)});
}

/// How often each token is drawn in 20000 draws.
std::vector<double> shares(const Tensor& logits, const Sampling& sampling) {
  constexpr std::size_t draws = 20000;
  Rng rng(7);
  std::vector<double> result(logits.size(), 0.0);
  for (std::size_t i = 0; i < draws; ++i)
    result[static_cast<std::size_t>(sample(logits.data(), logits.size(), sampling, rng))] +=
        1.0 / draws;
  return result;
}

REAL_TEST(Sample, draws_by_softmax_of_the_logits_over_temperature) {
  const Tensor logits{Real(0.5), 2, -1, Real(1.5), 2, -30};
  for (const double temperature : {0.5, 1.0, 2.0})
    for (const std::size_t top_k : {0U, 3U, 6U, 100U}) {
      // With k = 3 the two of 2 and the one of 1.5 remain.
      const std::vector<bool> may{top_k != 3, true, top_k != 3, true, true, top_k != 3};
      std::vector<double> weights;
      double total = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        weights.push_back(may[i] ? std::exp(static_cast<double>(logits(i)) / temperature) : 0);
        total += weights.back();
      }
      const std::vector<double> seen = shares(logits, {.temperature = temperature, .top_k = top_k});
      for (std::size_t i = 0; i < 6; ++i) {
        const double wanted = weights[i] / total;  // five standard deviations of 20000 draws
        EXPECT_NEAR(seen[i], wanted, 5 * std::sqrt(wanted * (1 - wanted) / 20000) + 1e-9)
            << "token " << i << ", temperature " << temperature << ", k " << top_k;
      }
    }
}

REAL_TEST(Sample, breaks_ties_by_the_order_of_the_vocabulary) {
  const Tensor logits{1, 3, 2, 3, 3};
  Rng rng(1);
  EXPECT_EQ(sample(logits.data(), 5, kGreedy, rng), 1);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(sample(logits.data(), 5, {.top_k = 1}, rng), 1);
  const std::vector<double> seen = shares(logits, {.top_k = 2});
  EXPECT_EQ(seen[4], 0);
  EXPECT_GT(seen[1], 0.4);
  EXPECT_GT(seen[3], 0.4);
}

REAL_TEST(Sample, survives_logits_far_apart) {
  const Tensor logits{-30000, 30000, 0};
  Rng rng(1);
  for (const double temperature : {1e-3, 1.0, 10.0})
    EXPECT_EQ(sample(logits.data(), 3, {.temperature = temperature}, rng), 1);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
