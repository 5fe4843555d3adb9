// Lab 11 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "labs/lab11_drope/proof.hpp"
#include "phasor/core/file.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

using test::any_of;

/// So few steps: what is tested is the lab, not what DroPE does for a model.
class Lab11 : public test::LabTest<Lab11> {
 public:
  static constexpr const char* kLab = "lab11_drope";
  static constexpr const char* kOptions = "--steps 12";
};

TEST_F(Lab11, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.figures, 1);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 16);
  EXPECT_EQ(summary.claims.size(), 4u);
  for (const auto& claim : summary.claims) EXPECT_NE(claim.verdict, "not measured yet") << claim.id;
}

TEST_F(Lab11, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab11, TrainsThreeWaysThatShareWhatTheyCan) {
  const auto metrics = [&](const char* way) {
    std::vector<nlohmann::json> records;
    std::istringstream lines(
        read_file(out() / "runs" / (std::string("toy-") + way + "-1") / "metrics.jsonl"));
    for (std::string line; std::getline(lines, line);)
      records.push_back(nlohmann::json::parse(line));
    return records;
  };
  const auto kept = metrics("rope"), dropped = metrics("dropped"), none = metrics("none");
  // 12 steps, a record after each, the drop half way.
  ASSERT_EQ(kept.size(), 13u);
  ASSERT_EQ(dropped.size(), 7u);
  EXPECT_EQ(dropped.front()["step"], 6);
  EXPECT_EQ(none.back()["step"], 12);
  // The loss right after the drop is of the same weights, read without RoPE.
  EXPECT_NE(dropped.front()["validation_loss"], kept[6]["validation_loss"]);
  EXPECT_NE(none.front()["validation_loss"], kept.front()["validation_loss"]);
}

TEST_F(Lab11, MakesItsFigure) { test::expect_figures(out(), {{"lab11-drope", "D2-F4"}}); }

TEST_F(Lab11, SameBytesOnTheNextRun) {
  const test::TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 4u);
}

TEST_F(Lab11, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab11::kCauses);
}

/// Trainings are cut short, and the runs go to a folder of this test.
TEST_F(Lab11, EveryCommandOfTheGuideRuns) {
  const test::TemporaryFolder elsewhere;
  const test::Replacements replacements = {{"^labs/run.*", std::string("$& ") + kOptions},
                                           {"--full", "$& --text " + test::short_text()},
                                           {"runs/", elsewhere.path().string() + "/"},
                                           {"--steps (200|300)", "--steps 6"},
                                           {"--drop-positions-at 200", "--drop-positions-at 4"}};
  EXPECT_GE(test::expect_commands_run(kLab, replacements, true), 5u);
}

TEST(Lab11Options, WrongUseIsOneClearLine) {
  for (const char* arguments : {"--nonsense", "--steps -1", "--quick --full"})
    test::expect_wrong_use(Lab11::kLab, arguments);
}

// --- what the checks do with mistakes ------------------------------------------------------------

/// A drop with something else in one place.
struct Mistake {
  double cosine = 1, sine = 0;
  bool changes_weights = false, forgets_one = false, never_trains = false, longer = false;
  bool returns_untrained = false;
  std::size_t times = 1;

  RotatedModel operator()(const RotatedModel& trained, std::size_t length, std::size_t steps,
                          const Training& train) const {
    RotatedModel start = trained;
    start.cosine.fill(cosine);
    start.sine.fill(sine);
    if (changes_weights) start.weights.begin()->second += 1e-3;
    if (forgets_one) start.weights.erase(start.weights.begin());
    if (never_trains) return start;
    RotatedModel result;
    for (std::size_t n = 0; n < times; ++n)
      result = train(start, longer ? 4 * length : length, steps);
    return returns_untrained ? start : result;
  }
};

double right_temperature(double c, double length, double trained) {
  return length > trained ? 1 + c * std::log(length / trained) : 1;
}

std::vector<std::string> failed(const lab11::DropFunction& drop,
                                const lab11::Temperature& temperature = right_temperature) {
  return test::failed(lab11::prove(drop, temperature));
}

TEST(Lab11Checks, PassWhatIsRight) { EXPECT_TRUE(failed(Mistake{}).empty()); }

TEST(Lab11Checks, FailForTypicalMistakes) {
  EXPECT_TRUE(any_of(failed(Mistake{.cosine = 0, .sine = 1}), "cosine"));
  EXPECT_TRUE(any_of(failed(Mistake{.cosine = 0, .sine = 1}), "sine: "));
  EXPECT_TRUE(any_of(failed(Mistake{.cosine = 0}), "cosine"));  // all logits would be 0
  EXPECT_TRUE(any_of(failed(Mistake{.cosine = std::nan("")}), "cosine"));
  EXPECT_TRUE(any_of(failed(Mistake{.changes_weights = true}), "weights carry over"));
  EXPECT_TRUE(any_of(failed(Mistake{.forgets_one = true}), "weights carry over"));
  EXPECT_TRUE(any_of(failed(Mistake{.never_trains = true}), "trains once"));
  EXPECT_TRUE(any_of(failed(Mistake{.times = 2}), "trains once"));
  EXPECT_TRUE(any_of(failed(Mistake{.longer = true}), "trained length"));
  EXPECT_TRUE(any_of(failed(Mistake{.returns_untrained = true}), "what comes back"));
}

TEST(Lab11Checks, FailForWrongTemperatures) {
  const auto wrong = [](auto temperature) {
    return any_of(failed(Mistake{}, temperature), "temperature");
  };
  EXPECT_TRUE(wrong([](double c, double l, double L) { return 1 + c * std::log2(l / L); }));
  EXPECT_TRUE(wrong([](double c, double l, double) { return 1 + c * std::log(l); }));
  EXPECT_TRUE(wrong([](double c, double l, double L) { return 1 + c * std::log(l / L); }));
  EXPECT_TRUE(wrong([](double, double, double) { return 1.0; }));
  EXPECT_TRUE(wrong([](double, double, double) -> double { throw std::runtime_error("x"); }));
}

/// The stubs that the guide begins with.
TEST(Lab11Checks, StubsFail) {
  const auto names = failed([](const RotatedModel& trained, std::size_t, std::size_t,
                               const Training&) { return trained; },
                            [](double, double, double) { return 0.0; });
  EXPECT_TRUE(any_of(names, "trains once"));
  EXPECT_TRUE(any_of(names, "temperature"));
}

}  // namespace
}  // namespace phasor
