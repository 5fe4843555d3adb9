// What heads look at: maps of a model, shares of weight, and their figure.
#include "phasor/course/attention_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/figure/figure.hpp"
#include "phasor/position/schemes.hpp"
#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

const CharTokenizer& tokenizer() {
  static const CharTokenizer known = CharTokenizer::from_text("the dog bites man.\n");
  return known;
}

std::unique_ptr<Gpt> model_of(const std::string& scheme, bool causal = true) {
  GptConfig config;
  config.vocabulary = tokenizer().vocabulary_size();
  config.width = 12;
  config.heads = 3;
  config.layers = 2;
  config.context = 16;
  config.causal = causal;
  config.scheme = scheme;
  Rng rng(1, "weights");
  auto model = std::make_unique<Gpt>(config, rng);
  for (NamedParameter& parameter :
       model->parameters())  // GPT-2's are too small to tell heads apart
    for (Real& value : parameter.value.mutable_value())
      value += static_cast<Real>(0.3 * rng.normal());
  return model;
}

/// Maps of one layer and one head with these weights; what is 0 is hidden only above the diagonal.
AttentionMaps maps_of(const std::vector<std::vector<double>>& weights,
                      std::vector<std::string> tokens) {
  const std::size_t T = tokens.size();
  AttentionMaps maps{.weights = xt::zeros<double>({std::size_t{1}, std::size_t{1}, T, T}),
                     .logits = xt::zeros<double>({std::size_t{1}, std::size_t{1}, T, T}),
                     .tokens = std::move(tokens)};
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < T; ++s) {
      maps.weights(0, 0, t, s) = weights[t][s];
      maps.logits(0, 0, t, s) = s > t ? NAN : 0;
    }
  return maps;
}

TEST(AttentionMaps, OfEverySchemeAreWeights) {
  for (const SchemeEntry& entry : schemes()) {
    const AttentionMaps maps = attention_maps(*model_of(entry.name), tokenizer(), "the dog bites");
    ASSERT_EQ(shape_of(maps.weights), Shape({2, 3, 13, 13})) << entry.name;
    for (std::size_t row = 0; row < 2 * 3 * 13; ++row) {
      double sum = 0;
      for (std::size_t s = 0; s < 13; ++s) {
        const double weight = maps.weights.data()[row * 13 + s];
        EXPECT_EQ(std::isnan(maps.logits.data()[row * 13 + s]), s > row % 13) << entry.name;
        if (s > row % 13) {
          EXPECT_EQ(weight, 0) << entry.name;
        }
        sum += weight;
      }
      EXPECT_NEAR(sum, 1, 13 * 1.2e-7) << entry.name;  // a rounding of float for every term
    }
  }
}

TEST(AttentionMaps, AreTheSoftmaxOfTheirLogits) {
  for (const char* scheme : {"rope", "alibi", "cope"}) {
    const AttentionMaps maps = attention_maps(*model_of(scheme), tokenizer(), "the dog");
    for (std::size_t head = 0; head < 3; ++head) {
      double sum = 0;
      for (std::size_t s = 0; s < 7; ++s) sum += std::exp(maps.logits(1, head, 6, s));
      for (std::size_t s = 0; s < 7; ++s)  // of numbers of order one, in single precision
        EXPECT_NEAR(maps.weights(1, head, 6, s), std::exp(maps.logits(1, head, 6, s)) / sum, 1e-5);
    }
  }
}

TEST(AttentionMaps, HideNothingWhereTheModelSeesAll) {
  const AttentionMaps maps = attention_maps(*model_of("rope", false), tokenizer(), "the dog");
  EXPECT_FALSE(maps.causal);
  for (std::size_t s = 0; s < 7; ++s) {
    EXPECT_GT(maps.weights(0, 0, 0, s), 0);
    EXPECT_FALSE(std::isnan(maps.logits(0, 0, 0, s)));
  }
  EXPECT_NEAR(even_focus(maps).previous, 1.0 / 7, 1e-15);
}

TEST(AttentionMaps, ShowSpacesAndNewlines) {
  const AttentionMaps maps = attention_maps(*model_of("none"), tokenizer(), "a b\n");
  EXPECT_EQ(maps.tokens, (std::vector<std::string>{"a", "␣", "b", "↵"}));
}

TEST(AttentionMaps, RefuseWhatTheModelCannotRead) {
  const auto model = model_of("learned");
  expect_error([&] { attention_maps(*model, tokenizer(), ""); }, "empty");
  expect_error([&] { attention_maps(*model, tokenizer(), "zoo"); }, "'z'");
  expect_error<PositionError>([&] { attention_maps(*model, tokenizer(), "the dog bites man"); },
                              "position 16");
}

TEST(HeadFocus, CountsSharesByHand) {
  // Queries 2 and 3 count; the last token was there before, at place 1.
  const AttentionMaps maps =
      maps_of({{1, 0, 0, 0}, {0.5, 0.5, 0, 0}, {0.1, 0.7, 0.2, 0}, {0.3, 0.4, 0.1, 0.2}},
              {"a", "b", "c", "b"});
  const HeadFocus focus = head_focus(maps).at(0);
  EXPECT_NEAR(focus.previous, (0.7 + 0.1) / 2, 1e-15);
  EXPECT_NEAR(focus.start, (0.1 + 0.3) / 2, 1e-15);
  EXPECT_NEAR(focus.itself, (0.2 + 0.2) / 2, 1e-15);
  EXPECT_NEAR(focus.repeated, 0.4, 1e-15);
  EXPECT_NEAR(focus.distance, (0.7 + 0.2 + 0.1 + 0.8 + 0.9) / 2, 1e-15);
  const HeadFocus even = even_focus(maps);
  EXPECT_NEAR(even.start, (1.0 / 3 + 1.0 / 4) / 2, 1e-15);
  EXPECT_NEAR(even.repeated, 1.0 / 4, 1e-15);
  EXPECT_NEAR(even.distance, (1.0 + 1.5) / 2, 1e-15);
}

TEST(HeadFocus, HasNoShareOfWhatIsNotThere) {
  const AttentionMaps maps = maps_of({{1, 0, 0}, {0, 1, 0}, {0, 1, 0}}, {"a", "b", "c"});
  EXPECT_TRUE(std::isnan(head_focus(maps)[0].repeated));
  EXPECT_EQ(focus_rows(maps)[1][5], "-");
}

TEST(HeadFocus, SaysInWordsWhatIsMost) {
  const HeadFocus even{.previous = 0.1, .start = 0.1, .itself = 0.1, .repeated = 0.2};
  EXPECT_EQ(focus_words({.previous = 0.82, .start = 0.1}, even), "the previous token (82 %)");
  EXPECT_EQ(focus_words({.previous = 0.3, .start = 0.4}, even), "the start (40 %)");
  EXPECT_EQ(focus_words({.itself = 0.5}, even), "itself (50 %)");
  EXPECT_EQ(focus_words({.repeated = 0.5}, even), "the same token earlier (50 %)");
  EXPECT_EQ(focus_words({.repeated = 0.39}, even), "spread out");  // less than twice the even share
  EXPECT_EQ(focus_words({.previous = 0.29, .repeated = NAN}, even), "spread out");
}

TEST(HeadFocus, TakesThreeTokens) {
  const AttentionMaps maps = attention_maps(*model_of("none"), tokenizer(), "ab");
  expect_error([&] { head_focus(maps); }, {"at least 3 tokens", "got 2", "longer text"});
}

TEST(AttentionFigure, HasAMapForEveryHeadOrTheChosenOnes) {
  const AttentionMaps maps = attention_maps(*model_of("rope"), tokenizer(), "the dog bites");
  const Figure all = attention_figure(maps, {.id = "all", .title = "All heads"});
  check_figure(all);
  ASSERT_EQ(all.panels.size(), 6U);
  EXPECT_EQ(all.columns, 3U);
  EXPECT_EQ(all.panels[4].title, "layer 2, head 2");
  EXPECT_EQ(attention_figure(maps, {.id = "a", .title = "a", .layer = 1}).panels.size(), 3U);
  const Figure one = attention_figure(maps, {.id = "a", .title = "a", .layer = 1, .head = 2});
  ASSERT_EQ(one.panels.size(), 1U);
  EXPECT_EQ(one.panels[0].title, "layer 2, head 3");
  const auto& map = std::get<HeatmapPanel>(one.panels[0].content);
  EXPECT_EQ(map.row_labels, maps.tokens);
  EXPECT_TRUE(std::isnan(map.values(0, 1)));
  EXPECT_EQ(map.values(4, 2), maps.weights(1, 2, 4, 2));
}

TEST(AttentionFigure, NamesTheHeadsThatStandOut) {
  AttentionMaps maps =
      maps_of({{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {"a", "b", "c", "d"});
  EXPECT_NE(attention_figure(maps, {.id = "a", .title = "a"})
                .caption.find("goes to: layer 1 head 1: the previous token (100 %)."),
            std::string::npos);
  for (std::size_t t = 0; t < 4; ++t)
    for (std::size_t s = 0; s < 4; ++s)
      maps.weights(0, 0, t, s) = s > t ? 0 : 1 / static_cast<double>(t + 1);
  EXPECT_NE(attention_figure(maps, {.id = "a", .title = "a"}).caption.find("goes to: spread out."),
            std::string::npos);
}

TEST(AttentionFigure, NumbersTheTokensOfALongText) {
  const AttentionMaps maps =
      attention_maps(*model_of("rope"), tokenizer(), std::string(kMostLabels + 1, 'a'));
  const Figure figure = attention_figure(maps, {.id = "a", .title = "a", .layer = 0, .head = 0});
  EXPECT_TRUE(std::get<HeatmapPanel>(figure.panels[0].content).row_labels.empty());
}

TEST(AttentionFigure, RefusesWhatIsNotThere) {
  const AttentionMaps maps = attention_maps(*model_of("rope"), tokenizer(), "the dog");
  expect_error<ConfigError>([&] { attention_figure(maps, {.id = "a", .title = "a", .layer = 2}); },
                            {"no layer 3", "layers 1 to 2"});
  expect_error<ConfigError>([&] { attention_figure(maps, {.id = "a", .title = "a", .head = 3}); },
                            {"no head 4", "heads 1 to 3"});
  AttentionMaps many = maps;
  many.weights = xt::zeros<double>({6, 3, 7, 7});
  many.logits = many.weights;
  expect_error<ConfigError>([&] { attention_figure(many, {.id = "a", .title = "a"}); },
                            {"18 maps", "holds 16"});
}

}  // namespace
}  // namespace phasor
