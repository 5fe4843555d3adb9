// The verdicts on dropping RoPE: the numbers behind them, and that they change when the numbers do.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "phasor/core/error.hpp"
#include "phasor/course/drope/claims.hpp"
#include "phasor/course/drope/figures.hpp"
#include "phasor/course/topics.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

LengthCurve curve(const std::vector<double>& losses) {
  LengthCurve result{.trained = 64, .multiples = {1, 2, 4, 8}};
  for (const double loss : losses) result.losses.push_back({loss});
  return result;
}

/// RoPE for 100 of 150 steps: from 0.5 the loss jumps to 2 and is back after 16 steps.
DropeStudy healthy() {
  DropeStudy study{.dropped_at = 100, .steps = 150, .runs = 1};
  study.kept = {"kept", {0, 100, 150}, {{3}, {0.5}, {0.45}}};
  study.dropped = {"dropped", {100, 108, 116, 150}, {{2}, {0.8}, {0.49}, {0.46}}};
  study.control = {"never", {0, 100, 150}, {{3}, {1.2}, {1.1}}};
  study.kept_length = curve({0.45, 0.6, 1.2, 2});
  study.scaled_length = curve({0.45, 0.5, 0.8, 1.2});
  study.dropped_length = curve({0.46, 0.45, 0.45, 0.5});
  study.control_length = curve({1.1, 1.2, 1.3, 1.4});
  return study;
}

TEST(DropeVerdicts, Spike) {
  DropeStudy study = healthy();
  EXPECT_EQ(spike_of(study).verdict, Verdict::kHolds);
  study.dropped.losses[0] = {0.6};
  EXPECT_EQ(spike_of(study).verdict, Verdict::kHoldsIf);
  study.dropped.losses[0] = {0.5};
  EXPECT_EQ(spike_of(study).verdict, Verdict::kFails);
}

TEST(DropeVerdicts, Healing) {
  DropeStudy study = healthy();
  EXPECT_EQ(*study.healed_after(), 16u);
  EXPECT_EQ(healing_of(study).verdict, Verdict::kHolds);
  study.dropped.losses[2] = {0.6};
  EXPECT_EQ(*study.healed_after(), 50u);
  EXPECT_EQ(healing_of(study).verdict, Verdict::kHoldsIf);
  study.dropped.losses[3] = {0.51};
  EXPECT_FALSE(study.healed_after());
  EXPECT_EQ(healing_of(study).verdict, Verdict::kFails);
}

TEST(DropeStudy, StepsOfTheControl) {
  EXPECT_EQ(*healthy().control_steps_to(1.2), 100u);
  EXPECT_EQ(*healthy().control_steps_to(1.15), 150u);
  EXPECT_FALSE(healthy().control_steps_to(1));
}

TEST(DropeVerdicts, LongerWindows) {
  DropeStudy study = healthy();
  EXPECT_EQ(longer_windows(study).verdict, Verdict::kHolds);
  study.dropped_length = curve({0.46, 0.5, 0.6, 0.9});
  EXPECT_EQ(longer_windows(study).verdict, Verdict::kHoldsIf);
  study.dropped_length = curve({0.46, 0.7, 1.2, 2});
  EXPECT_EQ(longer_windows(study).verdict, Verdict::kFails);
}

TEST(DropeVerdicts, TrainingWheels) {
  DropeStudy study = healthy();
  EXPECT_EQ(training_wheels(study).verdict, Verdict::kHolds);
  const auto says = [&](const std::string& words) {
    return training_wheels(study).measured.find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(": lower,"));
  EXPECT_TRUE(says("never any 23.77"));
  study.control.losses[2] = {0.47};
  EXPECT_EQ(training_wheels(study).verdict, Verdict::kFails);
  EXPECT_TRUE(says(": no difference beyond noise,"));
  study.control.losses[2] = {0.3};
  EXPECT_EQ(training_wheels(study).verdict, Verdict::kFails);
  EXPECT_TRUE(says(": the other way round,"));
}

TEST(DropeVerdicts, WhatIsInsideTheSpreadIsNoise) {
  DropeStudy study = healthy();
  study.runs = 2;
  study.dropped.losses[3] = {0.4, 0.6};
  study.control.losses[2] = {0.55, 0.7};
  EXPECT_EQ(training_wheels(study).verdict, Verdict::kFails);
  study.control.losses[2] = {0.65, 0.7};
  EXPECT_EQ(training_wheels(study).verdict, Verdict::kHolds);
}

TEST(DropeArm, ARecordThatIsMissingIsAnError) {
  EXPECT_EQ(healthy().kept.record_at(100), 1u);
  EXPECT_THROW(healthy().kept.record_at(101), DataError);
}

TEST(DropeFigure, SaysWhatWasMeasured) {
  const Figure figure =
      drope_figure(healthy(), {curve({0.46, 0.45, 0.45, 0.5}), curve({0.46, 0.45, 0.44, 0.45})});
  check_figure(figure);
  EXPECT_EQ(figure.claims_id, "D2-F4");
  EXPECT_NE(figure.caption.find("jumps from 0.50 to 2.00 and is back after 16 steps"),
            std::string::npos)
      << figure.caption;
}

TEST(DropeFigure, OneModelHasOneColourAndOneStyle) {
  const LengthCurve any = curve({0.46, 0.45, 0.45, 0.5});
  DropeStudy study = healthy();
  for (LengthCurve* length : {&study.kept_length, &study.dropped_length, &study.control_length})
    length->label = length == &study.kept_length      ? study.kept.label
                    : length == &study.dropped_length ? study.dropped.label
                                                      : study.control.label;
  study.scaled_length.label = "kept, slowed";
  const Figure figure = drope_figure(study, {any, any, any, any});
  std::map<std::string, std::set<std::size_t>> colours;
  for (const Panel& panel : figure.panels) {
    const auto& series = std::get<LinePanel>(panel.content).series;
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (!series[i].label.empty())
        colours[series[i].label].insert(series[i].colour_of.value_or(i));
      EXPECT_EQ(series[i].mark, Mark::kLineAndPoints);
      EXPECT_FALSE(series[i].dashed);
    }
  }
  ASSERT_EQ(colours.size(), 4u);
  std::set<std::size_t> all;
  for (const auto& [label, own] : colours) {
    EXPECT_EQ(own.size(), 1u) << label;
    all.insert(own.begin(), own.end());
  }
  EXPECT_EQ(all.size(), 4u);
  const auto& warmer = std::get<LinePanel>(figure.panels[3].content).series;
  EXPECT_EQ(warmer[0].label, study.dropped.label);
  for (std::size_t i = 1; i < warmer.size(); ++i)
    EXPECT_FALSE(all.contains(warmer[i].colour_of.value_or(i)));
}

// --- on runs
// ---------------------------------------------------------------------------------------

/// Runs of four steps, the drop after two, as the command `phasor train` makes them too.
class DropeRuns : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    const Corpus corpus = load_corpus("toy", 1);
    train("rope", "rope", 0, corpus);
    train("dropped", "rope", 2, corpus);
    train("none", "none", 0, corpus);
  }
  static void TearDownTestSuite() { delete folder_; }

  static void train(const std::string& name, const std::string& scheme, std::size_t drop,
                    const Corpus& corpus) {
    RunConfig config{.text = corpus.name};
    config.model.width = 16;
    config.model.heads = 2;
    config.model.layers = 2;
    config.model.context = 8;
    config.model.scheme = scheme;
    config.train = {.batch = 2,
                    .steps = 4,
                    .warmup = 1,
                    .drop_positions_at = drop,
                    .eval_every = 1,
                    .eval_tokens = 64};
    train_run(config, corpus,
              {.folder = runs() / fmt::format("toy-{}-1", name), .final_evaluation = false});
  }
  static fs::path runs() { return folder_->path() / "lab11" / "runs"; }
  static test::TemporaryFolder* folder_;
};
test::TemporaryFolder* DropeRuns::folder_ = nullptr;

TEST_F(DropeRuns, AreReadFromTheDropOn) {
  const auto study = drope_study(runs(), "toy", false);
  ASSERT_TRUE(study);
  EXPECT_EQ(study->dropped_at, 2u);
  EXPECT_EQ(study->steps, 4u);
  EXPECT_EQ(study->dropped.steps, (std::vector<std::size_t>{2, 3, 4}));
  EXPECT_EQ(study->kept.steps.size(), 5u);
  // The run that drops records after the drop: the same weights, another loss.
  EXPECT_NE(study->after().mean, study->before().mean);
}

TEST_F(DropeRuns, EveryClaimIsMeasured) {
  for (const Claim& one : drope_claims()) {
    const Finding finding = one.measure({.results = folder_->path()});
    EXPECT_NE(finding.verdict, Verdict::kNotMeasured) << one.id;
    for (const auto& [name, value] : finding.numbers)
      EXPECT_TRUE(std::isfinite(value)) << one.id << ": " << name;
  }
  EXPECT_EQ(drope_figures().at(0).id, "D2-F4");
  check_figure(drope_figures().at(0).make(folder_->path()));
}

TEST_F(DropeRuns, WithoutRunsNothingIsMeasured) {
  const test::TemporaryFolder empty;
  for (const Claim& one : drope_claims()) {
    const Finding finding = one.measure({.results = empty.path()});
    EXPECT_EQ(finding.verdict, Verdict::kNotMeasured) << one.id;
    EXPECT_NE(finding.measured.find("labs/run 11"), std::string::npos) << finding.measured;
  }
  EXPECT_THROW(drope_figures().at(0).make(empty.path()), DataError);
}

/// A dropped model is the same at any temperature up to the trained length, and another beyond.
TEST_F(DropeRuns, TheTemperatureActsOnLongerWindowsAlone) {
  const LengthCurve cold = with_temperature(runs(), "toy", 0),
                    warm = with_temperature(runs(), "toy", 5);
  EXPECT_EQ(cold.losses[0], warm.losses[0]);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_NE(cold.losses[i], warm.losses[i]);
}

}  // namespace
}  // namespace phasor
