// What is measured on the models of Lab 06, on small ones that are trained here.
#include "phasor/course/training/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/course/order/blanks.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/course/topics.hpp"
#include "phasor/course/training/figures.hpp"
#include "phasor/ops/cross_entropy.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using test::number;

const Corpus& toy() {
  static const Corpus corpus = load_corpus("toy", 1);
  return corpus;
}

RunConfig small_config(const std::string& scheme) {
  RunConfig config;
  config.model.width = 32;
  config.model.layers = 1;
  config.model.context = 16;
  config.model.scheme = scheme;
  config.train.batch = 16;
  config.train.warmup = 20;
  config.train.lr = 8e-3;
  config.train.min_lr = 8e-4;
  config.train.eval_tokens = 1000;
  return config;
}

void train(RunConfig config, const fs::path& folder, std::size_t steps) {
  config.train.steps = config.train.eval_every = steps;
  train_run(config, toy(), {.folder = folder, .final_evaluation = false});
}

/// Results as Lab 06 leaves them, from small models. One folder for all tests.
class TrainingClaims : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    const fs::path runs = folder_->path() / "lab06" / "runs";
    for (const char* scheme : {kRemoved, "none"}) {
      train(small_config(scheme), runs / (ablation_name(true, scheme, 1) + "-1"), 100);
      RunConfig blanks = small_config(scheme);
      blanks.train.steps = 250;
      train_on_blanks(blanks, toy(), runs / (ablation_name(false, scheme, 1) + "-1"));
    }
    for (const char* scheme : {"none", "sinusoidal", "learned"}) {
      RunConfig config = small_config(scheme);
      config.model.context = 64;
      train(config, runs / fmt::format("toy-{}-1", scheme), 30);
    }
    for (const char* scheme : {"sinusoidal", "learned"})
      for (const std::size_t seed : {1, 2}) {
        RunConfig config = small_config(scheme);
        config.train.seed = seed;
        train(config, runs / fmt::format("{}-{}", rival_name(scheme), seed), 30);
      }
  }
  static void TearDownTestSuite() { delete folder_; }

  static fs::path runs() { return folder_->path() / "lab06" / "runs"; }

  static Finding measured(const std::string& id, Evidence evidence = {}) {
    if (evidence.results == "out") evidence.results = folder_->path();
    for (const Claim& claim : training_claims())
      if (claim.id == id) return claim.measure(evidence);
    ADD_FAILURE() << "no claim " << id;
    return {};
  }

  static test::TemporaryFolder* folder_;
};
test::TemporaryFolder* TrainingClaims::folder_ = nullptr;

TEST_F(TrainingClaims, AModelThatSeesBothSidesBreaksAndACausalOneDoesNot) {
  const Finding finding = measured("D2-remove-it");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf) << finding.measured;
  EXPECT_TRUE(finding.measured.starts_with("Only if attention sees both sides"))
      << finding.measured;
  const double blind = number(finding, "frequencies");
  EXPECT_NEAR(blind, 2.87, 0.02);  // the entropy of the letters of the toy language
  EXPECT_GT(number(finding, "unmasked without"), 0.95 * blind);
  EXPECT_LT(number(finding, "unmasked with"), 0.9 * blind);
  EXPECT_LT(number(finding, "causal without"), 0.7 * blind);
  EXPECT_LT(number(finding, "causal with"), number(finding, "causal without"));
  EXPECT_GT(number(finding, "causal taken away"), number(finding, "causal without"));
}

TEST_F(TrainingClaims, NothingBreaksThatNeverWorked) {
  Ablation ablation{.blind = 3};
  ablation.rows = {{.layers = 1, .with = {2.9, 2.9, 2.9}, .without = {2.95, 2.95, 2.95}}};
  EXPECT_FALSE(breaks(ablation));
  ablation.rows[0].with.mean = 1;
  EXPECT_TRUE(breaks(ablation));
  ablation.rows[0].without.mean = 2.65;  // it saves 0.35 where 2 can be saved
  EXPECT_TRUE(breaks(ablation));
  ablation.rows[0].without.mean = 2.55;
  EXPECT_FALSE(breaks(ablation));
  ablation.rows[0].without.mean = 2.95;
  ablation.rows.push_back({.layers = 2, .with = {1, 1, 1}, .without = {2, 2, 2}});
  EXPECT_FALSE(breaks(ablation));
}

TEST_F(TrainingClaims, LearnedIsBetterAfterAFewSteps) {
  const Finding finding = measured("D1-learned-better");
  EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.measured;
  EXPECT_LT(number(finding, "learned"), number(finding, "sinusoidal"));
  EXPECT_EQ(number(finding, "steps"), 30);
}

TEST_F(TrainingClaims, LearnedIsNotBetterThanItselfNorThanWhatIsBetter) {
  const test::TemporaryFolder other;
  const fs::path there = other.path() / "lab06" / "runs";
  fs::create_directories(there);
  const auto put = [&](const std::string& scheme, const std::string& from) {
    for (const char* seed : {"-1", "-2"}) {
      fs::remove_all(there / (rival_name(scheme) + seed));
      fs::copy(runs() / (rival_name(from) + seed), there / (rival_name(scheme) + seed),
               fs::copy_options::recursive);
    }
    return measured("D1-learned-better", {.results = other.path()});
  };
  put("sinusoidal", "sinusoidal");
  const Finding same = put("learned", "sinusoidal");
  EXPECT_EQ(same.verdict, Verdict::kFails);
  EXPECT_NE(same.measured.find("no difference beyond seed noise"), std::string::npos);
  put("learned", "sinusoidal");
  const Finding worse = put("sinusoidal", "learned");
  EXPECT_EQ(worse.verdict, Verdict::kFails);
  EXPECT_NE(worse.measured.find("the other way round"), std::string::npos) << worse.measured;
}

/// From records alone, without a training.
TEST(MiniGptFigure, SaysWhenItsEncodingIsNotInUseYet) {
  const auto caption = [](double on, double off) {
    const test::TemporaryFolder folder;
    for (const auto& [is_on, loss] : {std::pair{true, on}, std::pair{false, off}}) {
      const fs::path run = folder.path() / (mini_gpt_name(is_on) + "-1");
      train(small_config("none"), run, 1);
      write_metrics(run / "metrics.jsonl", {{.step = 7, .validation_loss = loss}});
    }
    return mini_gpt_figure(folder.path()).caption;
  };
  const std::string words = "On ends above off: after so few steps (7)";
  EXPECT_NE(caption(1.5, 1.25).find(words), std::string::npos) << caption(1.5, 1.25);
  EXPECT_EQ(caption(1.25, 1.5).find(words), std::string::npos) << caption(1.25, 1.5);
}

TEST_F(TrainingClaims, PositionCanBeReadUnlessNoneIsAdded) {
  const Finding finding = measured("D2-readable");
  EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.measured;
  // Of 64 positions the mean distance from the middle is 16, by hand.
  EXPECT_NEAR(number(finding, "guess"), 16, 1e-12);
  EXPECT_NEAR(number(finding, "shuffled"), 16, 1);
  EXPECT_NEAR(number(finding, "none"), 16, 0.5);
  EXPECT_LT(number(finding, "error"), 4);
  EXPECT_LT(number(finding, "random tokens"), 8);
  const Finding broken =
      measured("D2-readable", {.encode = [](std::size_t T, std::size_t d, double) {
                 return xt::xarray<double>(xt::ones<double>({T, d}));
               }});
  EXPECT_EQ(broken.verdict, Verdict::kFails) << broken.measured;
}

TEST_F(TrainingClaims, BoundedIsLoudAndASmallOneIsNot) {
  const Finding finding = measured("D0-bounded-is-quiet");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  // 1 / sqrt(2) against 0.02; 64000 draws are good to half a percent.
  EXPECT_NEAR(number(finding, "ratio"), 35.36, 0.3);
  EXPECT_NEAR(number(finding, "ratio with factor"), 35.36 / 8, 0.04);
  const auto quiet = [](std::size_t T, std::size_t d, double base) {
    return xt::xarray<double>(0.01 * sinusoid(T, d, base));
  };
  EXPECT_EQ(measured("D0-bounded-is-quiet", {.encode = quiet}).verdict, Verdict::kHolds);
  const auto unbounded = [](std::size_t T, std::size_t d, double) {
    return xt::xarray<double>(2 * xt::ones<double>({T, d}));
  };
  EXPECT_EQ(measured("D0-bounded-is-quiet", {.encode = unbounded}).verdict, Verdict::kFails);
}

TEST_F(TrainingClaims, AnotherEncodingThanTheTrainedOneCosts) {
  const Finding finding = measured("D2-changed-encoding");
  EXPECT_GE(number(finding, "base 100"), number(finding, "trained"));
  EXPECT_GE(number(finding, "none"), number(finding, "trained"));
}

TEST_F(TrainingClaims, SayWhenTheLabHasNotRun) {
  const test::TemporaryFolder nothing;
  for (const Claim& claim : training_claims()) {
    if (claim.id == "D0-bounded-is-quiet") continue;  // takes no model
    const Finding finding = claim.measure({.results = nothing.path()});
    EXPECT_EQ(finding.verdict, Verdict::kNotMeasured) << claim.id;
    EXPECT_NE(finding.measured.find("labs/run 06"), std::string::npos) << finding.measured;
  }
}

TEST_F(TrainingClaims, FiguresAreDrawnFromTheRuns) {
  const Ablation causal = measure_ablation(runs(), true, kRemoved);
  const Ablation unmasked = measure_ablation(runs(), false, kRemoved);
  const Figure ablation = ablation_figure(causal, unmasked);
  check_figure(ablation);
  EXPECT_EQ(ablation.claims_id, "D2-F3");
  EXPECT_NE(ablation.caption.find("one that sees both sides learns next to nothing"),
            std::string::npos)
      << ablation.caption;
  ASSERT_TRUE(causal.floor.has_value());
  EXPECT_NEAR(*causal.floor, toy().entropy_floor.value(), 1e-12);
  check_figure(rivals_figure(runs()));
  check_figure(probe_figure({probe_runs(runs(), "none").value()}));
  expect_error([] { mini_gpt_figure("nowhere"); }, {"nowhere", "labs/run 06"});
  for (const FigureEntry& entry : training_figures())
    EXPECT_THROW(entry.make("nowhere"), DataError) << entry.id;
}

TEST_F(TrainingClaims, WithoutItsRotationAModelIsOneWithoutPositions) {
  const phasor::Run run = load_run(runs() / (ablation_name(true, "rope", 1) + "-1"));
  const auto bare = without_positions(run);
  EXPECT_EQ(bare->config().scheme, "none");
  EXPECT_EQ(bare->parameter_count(), run.model->parameter_count());
  const phasor::Run learned = load_run(runs() / "toy-learned-1");
  EXPECT_EQ(without_positions(learned)->parameter_count() + 64 * 32,
            learned.model->parameter_count());
  // Tokens were scaled by sqrt(width) for the sinusoids, and still are without them.
  EXPECT_EQ(without_positions(load_run(runs() / "toy-sinusoidal-1"))->config().embedding_scale,
            EmbeddingScale::on);
}

TEST_F(TrainingClaims, BlanksLookAlikeToAModelWithoutPositions) {
  const phasor::Run none = load_run(runs() / (ablation_name(false, "none", 1) + "-1"));
  const phasor::Run rope = load_run(runs() / (ablation_name(false, "rope", 1) + "-1"));
  EXPECT_FALSE(none.config.model.causal);
  const Encoded validation = validation_of(none.config, 1000);
  // The same sums in another order, in single precision.
  EXPECT_LT(blank_difference(none, validation), 1e-4);
  EXPECT_GT(blank_difference(rope, validation), 0.1);
}

TEST(Blanks, ReplaceASharePlaceByPlace) {
  const Shape shape = {3, 20};
  Batch windows{Indices::from_shape(shape), Indices::from_shape(shape)};
  for (std::size_t i = 0; i < 60; ++i) windows.inputs.data()[i] = static_cast<std::int64_t>(i % 7);
  windows.targets.fill(5);
  Rng rng(1, "blanks"), again(1, "blanks");
  const Batch blanks = with_blanks(windows, 9, rng);
  EXPECT_EQ(blanks.inputs, with_blanks(windows, 9, again).inputs);
  for (std::size_t b = 0; b < 3; ++b) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < 20; ++t) {
      const bool blank = blanks.inputs(b, t) == 9;
      EXPECT_EQ(blanks.targets(b, t), blank ? windows.inputs(b, t) : kIgnore);
      if (!blank) {
        EXPECT_EQ(blanks.inputs(b, t), windows.inputs(b, t));
      }
      count += blank ? 1 : 0;
    }
    EXPECT_EQ(count, 3U);  // 15 of 100
  }
}

TEST(Blanks, TakeACharacterThatTheTextHasNot) {
  EXPECT_EQ(tokenizer_with_blank("abc").vocabulary_size(), 4U);
  expect_error([] { tokenizer_with_blank("snake_case"); }, {"_", "blank"});
}

TEST(TokenEntropy, OfAFairCoinIsLn2) {
  EXPECT_NEAR(token_entropy({0, 1, 1, 0}, 3), std::log(2), 1e-15);
  EXPECT_EQ(token_entropy({2, 2}, 3), 0);
}

}  // namespace
}  // namespace phasor
