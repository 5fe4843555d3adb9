// Evaluation against a loop over windows, one at a time.
#include "phasor/train/evaluate.hpp"

#include <numeric>

#include "phasor/tensor/gemm.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// Each loss is right to a few roundings of logits of order ten; thousands are summed in double.
constexpr double kRounding = 100 * kEpsilon;

Encoded random_text(std::size_t length) {
  Rng rng(5, "text");
  Encoded text;
  for (std::size_t i = 0; i < length; ++i) text.push_back(static_cast<std::int32_t>(rng.below(11)));
  return text;
}

Evaluation evaluated(const Gpt& model, const Encoded& text, const EvaluateOptions& options,
                     std::size_t threads = 2) {
  use_single_threaded_blas();
  Workers workers(threads);
  return evaluate(model, text, options, workers);
}

/// -log softmax(logits)[target] at each place of the window that begins at `start`, in double.
std::vector<double> window_losses(const Gpt& model, const Encoded& text, std::size_t start,
                                  std::size_t T) {
  Indices tokens = Indices::from_shape({1, T});
  for (std::size_t t = 0; t < T; ++t) tokens(0, t) = text[start + t];
  const Tensor logits = model(tokens).value();
  std::vector<double> losses;
  for (std::size_t t = 0; t < T; ++t) {
    double sum = 0;
    for (std::size_t v = 0; v < 11; ++v) sum += std::exp(static_cast<double>(logits(0, t, v)));
    const auto target = static_cast<std::size_t>(text[start + t + 1]);
    losses.push_back(std::log(sum) - static_cast<double>(logits(0, t, target)));
  }
  return losses;
}

/// The mean over these windows, by position.
std::vector<double> naive(const Gpt& model, const Encoded& text,
                          const std::vector<std::size_t>& windows, std::size_t T) {
  std::vector<double> means(T, 0.0);
  for (const std::size_t window : windows) {
    const std::vector<double> losses = window_losses(model, text, window * T, T);
    for (std::size_t t = 0; t < T; ++t) means[t] += losses[t] / static_cast<double>(windows.size());
  }
  return means;
}

void expect_equal(const Evaluation& got, const std::vector<double>& by_position,
                  std::size_t windows, const std::string& name) {
  const std::size_t T = by_position.size();
  ASSERT_EQ(got.by_position.size(), T) << name;
  double mean = 0;
  for (std::size_t t = 0; t < T; ++t) {
    EXPECT_NEAR(got.by_position[t], by_position[t], kRounding) << name << ", position " << t;
    mean += by_position[t] / static_cast<double>(T);
  }
  EXPECT_NEAR(got.loss, mean, kRounding) << name;
  EXPECT_NEAR(got.perplexity() / std::exp(mean), 1, kRounding) << name;
  EXPECT_EQ(got.tokens, windows * T) << name;
}

std::vector<std::size_t> range(std::size_t first, std::size_t last) {
  std::vector<std::size_t> result;
  for (std::size_t i = first; i < last; ++i) result.push_back(i);
  return result;
}

REAL_TEST(Evaluate, equals_a_loop_over_windows) {
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    for (const auto& [length, T] : std::vector<std::pair<std::size_t, std::size_t>>{
             {8, 7}, {15, 7}, {300, 7}, {300, 1}, {1200, 5}}) {
      const Encoded text = random_text(length);  // the rest that fills no window is left out
      const std::size_t windows = (length - 1) / T;
      expect_equal(evaluated(*model, text, {.context = T}),
                   naive(*model, text, range(0, windows), T), windows,
                   fmt::format("{}, {} tokens in windows of {}", entry.name, length, T));
    }
  }
}

/// Every token but the first is a target once; all but those of the first window have seen at least
/// T - stride tokens before them.
REAL_TEST(Evaluate, slides_a_window_so_that_each_target_counts_once) {
  const auto model = lively_model(tiny_config("rope"));
  for (const std::size_t length : {8U, 20U, 300U})
    for (const std::size_t stride : {1U, 3U, 7U}) {
      const std::size_t T = 7;
      const Encoded text = random_text(length);
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t start = 0; start + T < length; start += stride) {
        const std::vector<double> losses = window_losses(*model, text, start, T);
        for (std::size_t t = start == 0 ? 0 : T - stride; t < T; ++t, ++count) sum += losses[t];
      }
      const Evaluation got = evaluated(*model, text, {.context = T, .stride = stride});
      EXPECT_EQ(got.tokens, count) << length << ", " << stride;
      EXPECT_EQ(count, T + (length - 1 - T) / stride * stride);
      EXPECT_NEAR(got.loss, sum / static_cast<double>(count), kRounding)
          << length << ", " << stride;
    }
  expect_error<ConfigError>(
      [&] { evaluated(*model, random_text(20), {.context = 7, .stride = 8}); }, {"--stride", "8"});
}

/// 2793 windows are 20 passes of 146, more than are handed out at a time: only the first window of
/// the whole text counts all its places, not the first of every round.
REAL_TEST(Evaluate, slides_a_window_over_more_passes_than_a_round) {
  const auto model = lively_model(tiny_config("rope"));
  const std::size_t T = 7, length = 2800;
  const Encoded text = random_text(length);
  std::vector<double> first = window_losses(*model, text, 0, T);
  double sum = std::accumulate(first.begin(), first.end(), 0.0), last = first.back();
  for (std::size_t start = 1; start + T < length; ++start) {
    const double loss = window_losses(*model, text, start, T).back();
    sum += loss;
    last += loss;
  }
  const Evaluation got = evaluated(*model, text, {.context = T, .stride = 1});
  EXPECT_EQ(got.tokens, length - 1);
  EXPECT_NEAR(got.loss, sum / static_cast<double>(length - 1), kRounding);
  for (std::size_t t = 0; t + 1 < T; ++t)
    EXPECT_NEAR(got.by_position[t], first[t], kRounding) << "position " << t;
  EXPECT_NEAR(got.by_position[T - 1], last / static_cast<double>(length - T), kRounding);
}

REAL_TEST(Evaluate, spreads_a_limited_number_of_tokens_over_the_text) {
  const auto model = lively_model(tiny_config("rope"));
  const Encoded text = random_text(5200);  // 649 windows of 8: 5 passes of 128 and one of 9
  const auto passes = [](const std::vector<std::size_t>& numbers) {
    std::vector<std::size_t> windows;
    for (const std::size_t pass : numbers)
      for (const std::size_t window :
           range(128 * pass, std::min<std::size_t>(128 * pass + 128, 649)))
        windows.push_back(window);
    return windows;
  };
  const std::vector<std::pair<std::size_t, std::vector<std::size_t>>> cases{
      {1, {0}},
      {1023, {0}},
      {1024, {0, 3}},
      {2500, {0, 2, 4}},
      {4096, {0, 1, 2, 3, 4}},
      {1000000, {0, 1, 2, 3, 4, 5}},
      {0, {0, 1, 2, 3, 4, 5}}};
  for (const auto& [limit, numbers] : cases) {
    const std::vector<std::size_t> windows = passes(numbers);
    expect_equal(evaluated(*model, text, {.context = 8, .token_limit = limit}),
                 naive(*model, text, windows, 8), windows.size(), fmt::format("limit {}", limit));
  }
}

REAL_TEST(Evaluate, has_the_same_bits_on_any_number_of_threads) {
  const Encoded text = random_text(18000);  // more passes than are handed out at a time
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    const Evaluation one = evaluated(*model, text, {.context = 7}, 1);
    for (const std::size_t threads : {2U, 3U, 8U}) {
      const Evaluation many = evaluated(*model, text, {.context = 7}, threads);
      EXPECT_EQ(many.loss, one.loss) << entry.name << ", " << threads << " threads";
      EXPECT_EQ(many.by_position, one.by_position) << entry.name << ", " << threads << " threads";
      EXPECT_EQ(many.tokens, one.tokens);
    }
  }
}

REAL_TEST(Evaluate, tells_its_progress_up_to_one) {
  const auto model = lively_model(tiny_config("none"));
  std::vector<double> shares;
  evaluated(*model, random_text(18000),
            {.context = 7, .on_progress = [&](double share) { shares.push_back(share); }});
  ASSERT_GE(shares.size(), 2U);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(shares.front(), 0);
  EXPECT_EQ(shares.back(), 1);
}

REAL_TEST(Evaluate, draws_no_dropout_and_builds_no_graph) {
  GptConfig config = tiny_config("alibi");
  const Encoded text = random_text(300);
  const double without = evaluated(*lively_model(config), text, {.context = 7}).loss;
  config.dropout = 0.5;
  EXPECT_EQ(evaluated(*lively_model(config), text, {.context = 7}).loss, without);
}

REAL_TEST(Evaluate, goes_beyond_the_context_where_the_scheme_can) {
  const Encoded text = random_text(300);
  for (const SchemeEntry& entry : schemes()) {
    const auto model = lively_model(tiny_config(entry.name));
    if (const auto limit = model->scheme().traits().max_positions)
      expect_error<PositionError>([&] { evaluated(*model, text, {.context = *limit + 1}); },
                                  {"[" + entry.name + "]", std::to_string(*limit)});
    else
      expect_equal(evaluated(*model, text, {.context = 29}), naive(*model, text, range(0, 10), 29),
                   10, entry.name);
  }
}

REAL_TEST(Evaluate, refuses_a_text_without_a_window) {
  const auto model = lively_model(tiny_config("none"));
  expect_error<DataError>([&] { evaluated(*model, random_text(7), {.context = 7}); },
                          {"7 tokens", "at least 8"});
  expect_error<ConfigError>([&] { evaluated(*model, random_text(7), {.context = 0}); },
                            {"--context 1 or more"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
