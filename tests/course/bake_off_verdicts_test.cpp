// The verdicts that compare schemes, on given numbers.
#include "phasor/course/bake_off/claims.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/course/claim_numbers.hpp"

namespace phasor {
namespace {

using test::number;
using test::says;

const Budget kBudget = "after 9 steps, over 3 seeds";
constexpr Spread kLow{1.0, 0.9, 1.1}, kMiddle{1.15, 1.05, 1.25}, kHigh{2.0, 1.9, 2.1},
    kHighest{3.0, 2.9, 3.1};

/// A model that is better with sinusoidal vectors than without.
Headway with(const Spread& sinusoidal) { return {kBudget, kHighest, sinusoidal}; }

TEST(BakeOffVerdicts, VectorsAreInUseWhenTheyAreBetterThanNoneBeyondNoise) {
  EXPECT_TRUE((Headway{kBudget, kHigh, kLow}).is_underway());
  EXPECT_FALSE((Headway{kBudget, kMiddle, kLow}).is_underway());  // their bands overlap
  EXPECT_FALSE((Headway{kBudget, kLow, kHigh}).is_underway());
}

TEST(BakeOffVerdicts, VectorsThatAreNotInUseSayNothing) {
  for (const Headway& early : {Headway{kBudget, kLow, kMiddle}, Headway{kBudget, kMiddle, kLow}})
    for (const Finding& finding :
         {better_than_before(early, {"rope", kLow}, {"learned", kHigh}, {"alibi", kHigh}),
          still_reasonable(early, {{"rope", {0.5, 0.5, 0.5}}}),
          large_base(early, kLow, kMiddle, "24.9"), large_base(early, kHigh, kLow, "24.9"),
          cheaper_than_a_table(early, 1000, 1100, kHigh)}) {
      EXPECT_EQ(finding.verdict, Verdict::kNotMeasured) << finding.measured;
      EXPECT_TRUE(finding.measured.starts_with("After 9 steps, over 3 seeds: "))
          << finding.measured;
      EXPECT_TRUE(says(finding, "has not begun to use them")) << finding.measured;
      EXPECT_TRUE(says(finding, "labs/run 12 --full trains longer.")) << finding.measured;
    }
  EXPECT_EQ(number(still_reasonable({kBudget, kLow, kMiddle}, {{"rope", kLow}}), "none"), 1.0);
}

TEST(BakeOffVerdicts, RopeHasToBeLowerThanWhatCameBefore) {
  const auto verdict = [](const Spread& rope, const Spread& older, const Spread& rival) {
    return better_than_before(with(older), {"rope", rope}, {"learned", kHigh}, {"alibi", rival});
  };
  EXPECT_EQ(verdict(kLow, kHigh, kHigh).verdict, Verdict::kHolds);
  const Finding level = verdict(kLow, kHigh, kMiddle);
  EXPECT_EQ(level.verdict, Verdict::kHoldsIf);
  EXPECT_TRUE(says(level, "no difference beyond seed noise"));
  EXPECT_TRUE(level.measured.starts_with(
      "Only if it is compared with sinusoidal, not with alibi: after 9 steps"))
      << level.measured;
  EXPECT_EQ(verdict(kMiddle, kLow, kHigh).verdict, Verdict::kFails);  // their bands overlap
  EXPECT_EQ(verdict(kHigh, kLow, kLow).verdict, Verdict::kFails);
  EXPECT_EQ(better_than_before(with(kHigh), {"rope", kLow}, {"learned", kMiddle}, {"alibi", kHigh})
                .verdict,
            Verdict::kFails);
  EXPECT_EQ(number(level, "alibi"), 1.15);
}

TEST(BakeOffVerdicts, ReasonableIsHalfOfWhatPositionsAreWorth) {
  const auto verdict = [](double loss) {
    return still_reasonable({kBudget, {2.0, 2.0, 2.0}, {loss, loss, loss}},
                            {{"rope", {1.5, 1.5, 1.5}}, {"alibi", {1.0, 1.0, 1.0}}});
  };
  EXPECT_EQ(verdict(1.5).verdict, Verdict::kHolds);
  EXPECT_DOUBLE_EQ(number(verdict(1.5), "share"), 0.5);
  EXPECT_EQ(verdict(1.6).verdict, Verdict::kHoldsIf);
  EXPECT_TRUE(verdict(1.6).measured.starts_with("Only if ")) << verdict(1.6).measured;
  EXPECT_EQ(verdict(2.2).verdict, Verdict::kNotMeasured);
}

TEST(BakeOffVerdicts, AddingAndPuttingBesideAreJudgedTwice) {
  EXPECT_EQ(matter_of_habit(with(kLow), kMiddle).verdict, Verdict::kHolds);
  EXPECT_EQ(matter_of_habit(with(kLow), kHigh).verdict, Verdict::kFails);
  EXPECT_EQ(interference(with(kHigh), kLow).verdict, Verdict::kHolds);
  EXPECT_EQ(interference(with(kLow), kHigh).verdict, Verdict::kFails);
  EXPECT_EQ(interference(with(kMiddle), kLow).verdict, Verdict::kFails);
}

TEST(BakeOffVerdicts, AddingAndPuttingBesideSayHowEarlyItIs) {
  for (Finding (*judge)(const Headway&, const Spread&) : {matter_of_habit, interference}) {
    EXPECT_FALSE(says(judge(with(kHigh), kLow), "early"));
    EXPECT_TRUE(says(judge({kBudget, kMiddle, kHigh}, kLow), "This is early in training"));
    EXPECT_TRUE(says(judge({kBudget, kMiddle, kHigh}, kLow), "labs/run 12 --full"));
  }
}

TEST(BakeOffVerdicts, ABaseHurtsWhenATunedOneIsBetter) {
  const auto verdict = [](const Spread& usual, const Spread& tuned) {
    return large_base(with(kHigh), usual, tuned, "24.9");
  };
  EXPECT_EQ(verdict(kLow, kMiddle).verdict, Verdict::kHolds);
  EXPECT_EQ(verdict(kHigh, kLow).verdict, Verdict::kFails);
  EXPECT_EQ(verdict(kLow, kHigh).verdict, Verdict::kHolds);
  EXPECT_TRUE(says(verdict(kHigh, kLow), "base 24.9"));
  EXPECT_TRUE(says(verdict(kHigh, kLow), "here D0 is right"));
  EXPECT_TRUE(says(verdict(kLow, kMiddle), "here D3 is right"));
}

TEST(BakeOffVerdicts, ATableCostsParametersAndMayBeWorthIt) {
  const auto verdict = [](std::size_t table, const Spread& of_table) {
    return cheaper_than_a_table(with(kHigh), 1000, table, of_table);
  };
  EXPECT_EQ(verdict(1100, kHigh).verdict, Verdict::kHolds);
  EXPECT_TRUE(says(verdict(1100, kHigh), "100 parameters to 1000 (10.0 %)"));
  EXPECT_EQ(verdict(1100, kLow).verdict, Verdict::kHoldsIf);
  EXPECT_TRUE(verdict(1100, kLow).measured.starts_with("Only if parameters count"));
  EXPECT_EQ(verdict(1000, kLow).verdict, Verdict::kFails);
  // Parameters are counted, not learned.
  EXPECT_EQ(cheaper_than_a_table({kBudget, kLow, kLow}, 1000, 1000, kLow).verdict, Verdict::kFails);
}

TEST(BakeOffVerdicts, OneSeedSaysNothingOfNoise) {
  const Spread one{1, 1, 1}, other{2, 2, 2};
  EXPECT_TRUE(says(matter_of_habit(with(one), other), "one seed says nothing of noise"));
}

TEST(BakeOffVerdicts, CarryingOverIsJudgedWhereSomethingWasLearned) {
  const auto by = [](const char* scheme, double trained, double twice) {
    return TaskNumber{Task::copy, scheme, {trained, trained, trained}, {twice, twice, twice}};
  };
  const auto task = [&](double trained, double twice) { return by("alibi", trained, twice); };
  EXPECT_EQ(carries_over_in_tasks({task(0.95, 0.6), task(0.2, 0.0)}).verdict, Verdict::kHolds);
  EXPECT_EQ(carries_over_in_tasks({task(0.95, 0.4), task(0.2, 0.0)}).verdict, Verdict::kFails);
  EXPECT_EQ(carries_over_in_tasks({task(0.95, 0.4), task(0.9, 0.5)}).verdict, Verdict::kHoldsIf);
  EXPECT_EQ(carries_over_in_tasks({task(0.8, 0.8)}).verdict, Verdict::kNotMeasured);
  // No encoding at twice the length is no right answer.
  EXPECT_EQ(carries_over_in_tasks({task(1, std::nan(""))}).verdict, Verdict::kFails);
  // A scheme that learned nothing is not judged, and one alone is not both.
  const Finding one = carries_over_in_tasks({task(0.1, 0.0), by("rope", 0.95, 0.6)});
  EXPECT_EQ(one.verdict, Verdict::kHoldsIf);
  EXPECT_TRUE(one.measured.starts_with("Only if it is asked of rope on copy: ")) << one.measured;
  const Finding none = carries_over_in_tasks({task(0.1, 0.0), by("rope", 0.95, 0.1)});
  EXPECT_EQ(none.verdict, Verdict::kFails);
  EXPECT_TRUE(says(none, "Nothing can be said of alibi, which learned no task.")) << none.measured;
  EXPECT_TRUE(
      none.measured.starts_with("Judged is what was learned (nine of ten right), rope on "
                                "copy; none of it is"))
      << none.measured;
}

}  // namespace
}  // namespace phasor
