// The verdicts that compare schemes, on given numbers.
#include "phasor/course/bake_off/claims.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace phasor {
namespace {

double number(const Finding& finding, const std::string& name) {
  for (const auto& [key, value] : finding.numbers)
    if (key == name) return value;
  ADD_FAILURE() << "there is no number " << name;
  return std::nan("");
}

bool says(const Finding& finding, const std::string& words) {
  return finding.measured.find(words) != std::string::npos;
}

const Budget kBudget = "after 9 steps, over 3 seeds";
constexpr Spread kLow{1.0, 0.9, 1.1}, kMiddle{1.15, 1.05, 1.25}, kHigh{2.0, 1.9, 2.1};

TEST(BakeOffVerdicts, RopeHasToBeLowerThanWhatCameBefore) {
  const auto verdict = [](const Spread& rope, const Spread& older, const Spread& rival) {
    return better_than_before(kBudget, {"rope", rope}, {{"sinusoidal", older}, {"learned", kHigh}},
                              {"alibi", rival});
  };
  EXPECT_EQ(verdict(kLow, kHigh, kHigh).verdict, Verdict::kHolds);
  const Finding level = verdict(kLow, kHigh, kMiddle);
  EXPECT_EQ(level.verdict, Verdict::kHoldsIf);
  EXPECT_TRUE(says(level, "no difference beyond seed noise"));
  EXPECT_TRUE(level.measured.starts_with("it is compared with sinusoidal, not with alibi"));
  EXPECT_EQ(verdict(kMiddle, kLow, kHigh).verdict, Verdict::kFails);  // their bands overlap
  EXPECT_EQ(verdict(kHigh, kLow, kLow).verdict, Verdict::kFails);
  EXPECT_EQ(number(level, "alibi"), 1.15);
}

TEST(BakeOffVerdicts, ReasonableIsHalfOfWhatPositionsAreWorth) {
  const auto verdict = [](double loss) {
    return still_reasonable(kBudget, {2.0, 2.0, 2.0}, {"sinusoidal", {loss, loss, loss}},
                            {{"rope", {1.5, 1.5, 1.5}}, {"alibi", {1.0, 1.0, 1.0}}});
  };
  EXPECT_EQ(verdict(1.5).verdict, Verdict::kHolds);
  EXPECT_DOUBLE_EQ(number(verdict(1.5), "share"), 0.5);
  EXPECT_EQ(verdict(1.6).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(verdict(2.2).verdict, Verdict::kFails);
  // Lower than `none`, but not beyond noise.
  EXPECT_EQ(still_reasonable(kBudget, kMiddle, {"sinusoidal", kLow}, {{"rope", kLow}}).verdict,
            Verdict::kFails);
}

TEST(BakeOffVerdicts, AddingAndPuttingBesideAreJudgedTwice) {
  EXPECT_EQ(matter_of_habit(kBudget, kLow, kMiddle).verdict, Verdict::kHolds);
  EXPECT_EQ(matter_of_habit(kBudget, kLow, kHigh).verdict, Verdict::kFails);
  EXPECT_EQ(interference(kBudget, kHigh, kLow).verdict, Verdict::kHolds);
  EXPECT_EQ(interference(kBudget, kLow, kHigh).verdict, Verdict::kFails);
  EXPECT_EQ(interference(kBudget, kMiddle, kLow).verdict, Verdict::kFails);
}

TEST(BakeOffVerdicts, ABaseHurtsWhenATunedOneIsBetter) {
  EXPECT_EQ(large_base(kBudget, kLow, kMiddle, "24.9").verdict, Verdict::kHolds);
  EXPECT_EQ(large_base(kBudget, kHigh, kLow, "24.9").verdict, Verdict::kFails);
  EXPECT_EQ(large_base(kBudget, kLow, kHigh, "24.9").verdict, Verdict::kHolds);
  EXPECT_TRUE(says(large_base(kBudget, kHigh, kLow, "24.9"), "base 24.9"));
  EXPECT_TRUE(says(large_base(kBudget, kHigh, kLow, "24.9"), "here D0 is right"));
  EXPECT_TRUE(says(large_base(kBudget, kLow, kMiddle, "24.9"), "here D3 is right"));
}

TEST(BakeOffVerdicts, ATableCostsParametersAndMayBeWorthIt) {
  const auto verdict = [](std::size_t table, const Spread& of_table) {
    return cheaper_than_a_table(kBudget, 1000, table, kHigh, of_table);
  };
  EXPECT_EQ(verdict(1100, kHigh).verdict, Verdict::kHolds);
  EXPECT_TRUE(says(verdict(1100, kHigh), "100 parameters to 1000 (10.0 %)"));
  EXPECT_EQ(verdict(1100, kLow).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(verdict(1000, kLow).verdict, Verdict::kFails);
}

TEST(BakeOffVerdicts, OneSeedSaysNothingOfNoise) {
  const Spread one{1, 1, 1}, other{2, 2, 2};
  EXPECT_TRUE(says(matter_of_habit(kBudget, one, other), "one seed says nothing of noise"));
}

TEST(BakeOffVerdicts, CarryingOverIsJudgedWhereSomethingWasLearned) {
  const auto task = [](double trained, double twice) {
    return TaskNumber{Task::copy, "alibi", {trained, trained, trained}, {twice, twice, twice}};
  };
  EXPECT_EQ(carries_over_in_tasks({task(0.95, 0.6), task(0.2, 0.0)}).verdict, Verdict::kHolds);
  EXPECT_EQ(carries_over_in_tasks({task(0.95, 0.4), task(0.2, 0.0)}).verdict, Verdict::kFails);
  EXPECT_EQ(carries_over_in_tasks({task(0.95, 0.4), task(0.9, 0.5)}).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(carries_over_in_tasks({task(0.8, 0.8)}).verdict, Verdict::kNotMeasured);
  // No encoding at twice the length is no right answer.
  EXPECT_EQ(carries_over_in_tasks({task(1, std::nan(""))}).verdict, Verdict::kFails);
}

}  // namespace
}  // namespace phasor
