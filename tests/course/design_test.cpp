// The numbers behind the verdicts on the design, and verdicts that change with the encoding.
#include <algorithm>

#include "phasor/course/design/figures.hpp"
#include "phasor/course/topics.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/course/design_golden.hpp"

namespace phasor {
namespace {

// Sums of at most 64 cosines whose angles, below 1000, are known to 1e-13.
constexpr double kSame = 1e-12;

Finding found(const std::string& id, const Evidence& evidence = {}) {
  return test::measured(design_claims(), id, evidence);
}

Verdict verdict(const std::string& id, const Encoder& encode) {
  return found(id, {.encode = encode}).verdict;
}

TEST(DesignClaims, ThePositionMustBeLinear) {
  const Finding finding = found("D2-linear-position");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_LT(test::number(finding, "one pair"), 1e-14);
  EXPECT_LT(test::number(finding, "four pairs"), 1e-13);
  EXPECT_NEAR(test::number(finding, "square, one pair"), kLeft[0], kSame);
  EXPECT_NEAR(test::number(finding, "square, four pairs"), kLeft[1], kSame);
  EXPECT_NEAR(test::number(finding, "log, one pair"), kLeft[2], kSame);
  // Its matrix has entries of 1e9, which costs nine of sixteen digits.
  EXPECT_NEAR(test::number(finding, "log, four pairs"), kLeft[3], 1e-9);
  EXPECT_EQ(verdict("D2-linear-position", test::squared_position()), Verdict::kFails);
  EXPECT_EQ(verdict("D2-linear-position", test::wrong_base), Verdict::kHolds);
  EXPECT_EQ(verdict("D2-linear-position", test::linear_spacing()), Verdict::kHolds);
}

TEST(DesignClaims, InTheDenominatorItDiesOut) {
  const Finding finding = found("D2-position-in-denominator");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_NEAR(test::number(finding, "early"), kInverse[0], kSame);
  EXPECT_NEAR(test::number(finding, "late"), kInverse[1], kSame);
  EXPECT_NE(finding.measured.find("but less than in the real design"), std::string::npos);
  EXPECT_EQ(verdict("D2-position-in-denominator", test::squared_position()), Verdict::kFails);
}

TEST(DesignClaims, InTheDenominatorThereIsNoMatrix) {
  const Finding finding = found("D2-inverse-has-no-matrix");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_NEAR(test::number(finding, "one pair"), kInverseLeft[0], kSame);
  // Rows that hardly move: the condition of the four pairs costs ten of sixteen digits.
  EXPECT_NEAR(test::number(finding, "four pairs"), kInverseLeft[1], 1e-9);
  EXPECT_LT(test::number(finding, "real"), 1e-13);
  EXPECT_EQ(verdict("D2-inverse-has-no-matrix", test::squared_position()), Verdict::kFails);
  EXPECT_EQ(verdict("D2-inverse-has-no-matrix", test::wrong_base), Verdict::kHolds);
}

TEST(DesignClaims, SinesAloneLoseTheShift) {
  const Finding finding = found("D2-sine-alone");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_NEAR(test::number(finding, "four sines"), kSines[0], kSame);
  // Eight sines of waves up to 20,000 positions long: their condition is 1e10, so six digits stay.
  EXPECT_NEAR(test::number(finding, "eight sines"), kSines[1], 1e-6);
  EXPECT_EQ(verdict("D2-sine-alone", test::squared_position()), Verdict::kFails);
  // Every sine still has its cosine somewhere, and the matrix may mix columns.
  EXPECT_EQ(verdict("D2-sine-alone", test::swapped_cosines), Verdict::kHolds);
  EXPECT_EQ(verdict("D2-sine-alone", test::split_pairs), Verdict::kFails);
}

TEST(DesignClaims, TwoPhasesOneSine) {
  const Finding finding = found("D2-two-phases");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_LT(test::number(finding, "sines"), 0.01);
  EXPECT_GT(test::number(finding, "pairs"), 1);
  EXPECT_LT(test::number(finding, "phase error"), 1e-13);
  EXPECT_EQ(verdict("D2-two-phases", test::squared_position()), Verdict::kFails);
}

TEST(DesignClaims, ThePairDropsThePosition) {
  EXPECT_EQ(found("D2-pair-product").verdict, Verdict::kHolds);
  EXPECT_LT(test::number(found("D2-pair-product"), "spread"), 1e-12);
  EXPECT_EQ(verdict("D2-pair-product", test::swapped_cosines), Verdict::kFails);
  EXPECT_EQ(verdict("D2-pair-product", test::squared_position()), Verdict::kFails);
}

TEST(DesignClaims, OtherBasesDoAsWell) {
  const Finding finding = found("D2-base-not-sacred");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  std::size_t n = 0;
  for (const int base : {5000, 8192, 50000, 100})
    EXPECT_NEAR(test::number(finding, fmt::format("difference, base {}", base)), kBaseChanges[n++],
                kSame);
  EXPECT_EQ(verdict("D2-base-not-sacred", test::squared_position()), Verdict::kFails);
}

TEST(DesignClaims, MostPairsFinishNoTurnIn128Positions) {
  const Finding finding = found("D3-base-is-overkill");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_EQ(test::number(finding, "pairs that finish no turn"), kUnfinished[0]);
  EXPECT_EQ(verdict("D3-base-is-overkill", test::wrong_base), Verdict::kFails);
  EXPECT_EQ(verdict("D3-base-is-overkill", test::linear_spacing()), Verdict::kFails);
}

TEST(DesignClaims, TheRuleForTheBaseWantsAWideEncoding) {
  const Finding finding = found("D3-base-for-length");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_NEAR(test::number(finding, "base"), kRule[0], kSame);
  EXPECT_EQ(test::number(finding, "from width"), kRuleWidth[0]);
  std::size_t n = 0;
  for (const int width : {8, 32, 64}) {
    EXPECT_NEAR(test::number(finding, fmt::format("wave, width {}", width)), kRuleWaves[n], 1e-10);
    EXPECT_NEAR(test::number(finding, fmt::format("fitting base, width {}", width)), kFitting[n++],
                1e-12);
    EXPECT_NEAR(test::number(finding, fmt::format("wave at that, width {}", width)), 128, 1e-10);
  }
  EXPECT_EQ(verdict("D3-base-for-length", test::wrong_base), Verdict::kFails);
  EXPECT_EQ(verdict("D3-base-for-length", test::one_wave(128)), Verdict::kHolds);
}

TEST(DesignClaims, OneFrequencyTellsOneFromAHundred) {
  const Finding finding = found("D2-one-frequency");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  EXPECT_NEAR(test::number(finding, "1 and 100"), kOne[0], 1e-14);
  EXPECT_NEAR(test::number(finding, "1 and 45"), kOne[1], 1e-14);
  EXPECT_NEAR(test::number(finding, "0 and 710"), kOne[2], 1e-14);
  EXPECT_EQ(verdict("D2-one-frequency", test::one_wave(99)), Verdict::kHolds);
}

TEST(DesignClaims, EveryScaleHasItsPairs) {
  const Finding finding = found("D2-equal-resolution");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_EQ(test::number(finding, "most in a decade"), 8);
  EXPECT_EQ(test::number(finding, "fewest in a decade"), 8);
  EXPECT_EQ(test::number(finding, "most in a decade, linear"), 29);
  EXPECT_EQ(verdict("D2-equal-resolution", test::linear_spacing()), Verdict::kFails);
  EXPECT_EQ(verdict("D2-equal-resolution", test::wrong_base), Verdict::kFails);
}

TEST(DesignClaims, EqualStepsAreSharpNearbyAndRepeat) {
  const Finding finding = found("D3-arithmetic-spacing");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  EXPECT_NEAR(test::number(finding, "neighbours"), kSixtyFourths[0], kSame);
  EXPECT_NEAR(test::number(finding, "far"), kSixtyFourths[1], kSame);
  EXPECT_NEAR(test::number(finding, "again"), kSixtyFourths[2], kSame);
  EXPECT_EQ(test::number(finding, "again at"), kSixtyFourths[3]);
  EXPECT_NEAR(test::number(finding, "neighbours, geometric"), kSixtyFourths[4], kSame);
  EXPECT_NEAR(test::number(finding, "far, geometric"), kSixtyFourths[5], kSame);
}

TEST(DesignClaims, GeometricSpacingIsNoFourierBasis) {
  const Finding finding = found("D3-fourier-basis");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  EXPECT_NEAR(test::number(finding, "largest cosine"), kFourier[0], kSame);
  EXPECT_LT(test::number(finding, "largest cosine, Fourier"), 1e-13);
  EXPECT_NEAR(test::number(finding, "impulse"), kFourier[1], 1e-11);  // as in tests/analysis
  EXPECT_EQ(test::number(finding, "directions"), kFourier[3]);
  EXPECT_NEAR(test::number(finding, "impulse, Fourier"), kFourier[2], 1e-13);
  EXPECT_EQ(test::number(finding, "directions, Fourier"), kFourier[4]);
  EXPECT_EQ(verdict("D3-fourier-basis", test::encoder_of([](double p, double k, double, double) {
                      return 2 * std::acos(-1.0) * (k + 1) * p / 128;
                    })),
            Verdict::kHolds);
  EXPECT_EQ(verdict("D3-fourier-basis", test::linear_spacing()), Verdict::kFails);
}

TEST(DesignClaims, NoTwoPositionsAlikeForAnotherReason) {
  const Finding finding = found("D3-no-two-alike");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_NE(finding.measured.find("not the reason"), std::string::npos) << finding.measured;
  std::size_t n = 0;
  for (const int width : {2, 8, 12, 16, 64}) {
    // Differences of sines whose angles, below 10,001, are known to 1e-12.
    EXPECT_NEAR(test::number(finding, fmt::format("nearest, width {}", width)), kNearestPairs[n++],
                1e-11);
    EXPECT_EQ(test::number(finding, fmt::format("distance, width {}", width)), kNearestPairs[n++]);
  }
  EXPECT_EQ(verdict("D3-no-two-alike", test::one_wave(1000)), Verdict::kFails);
  EXPECT_EQ(verdict("D3-no-two-alike", test::wrong_base), Verdict::kHolds);
}

TEST(DesignClaims, OneClockIsEnough) {
  EXPECT_EQ(found("D0-incommensurate").verdict, Verdict::kHolds);
  EXPECT_EQ(verdict("D0-incommensurate", test::one_wave(1000)), Verdict::kFails);
}

TEST(DesignClaims, SayWhatTheyMeasured) {
  for (const Claim& claim : design_claims()) {
    EXPECT_EQ(claim.lab, "lab04") << claim.id;
    const Finding finding = claim.measure({});
    EXPECT_GT(finding.measured.size(), 40u) << claim.id;
    EXPECT_FALSE(finding.numbers.empty()) << claim.id;
  }
}

const Choice& choice_of(const std::vector<Choice>& choices, const std::string& label) {
  const auto place = std::find_if(choices.begin(), choices.end(),
                                  [&](const Choice& choice) { return choice.label == label; });
  EXPECT_NE(place, choices.end()) << label;
  return *place;
}

TEST(DesignFigures, EachWrongDesignFailsOneOfTwoTests) {
  const ChoiceSetting setting;
  const std::vector<Choice> choices = measured_choices(setting);
  ASSERT_EQ(choices.size(), 9u);
  for (const char* exact : {"real", "base 100", "base 1e6", "linear steps", "one frequency"}) {
    EXPECT_LT(choice_of(choices, exact).one_pair, 1e-13) << exact;
    EXPECT_LT(choice_of(choices, exact).all_pairs, 1e-13) << exact;
  }
  EXPECT_NEAR(choice_of(choices, "p squared").one_pair, kLeft[0], kSame);
  EXPECT_NEAR(choice_of(choices, "log p").one_pair, kLeft[2], kSame);
  EXPECT_NEAR(choice_of(choices, "sine only").all_pairs, kSines[0], kSame);
  for (const char* far : {"real", "base 100", "base 1e6", "p squared", "sine only"})
    EXPECT_GT(choice_of(choices, far).nearest, 0.5) << far;
  for (const char* near : {"linear steps", "one frequency", "log p", "1 / p"})
    EXPECT_LT(choice_of(choices, near).nearest, 0.05) << near;
  // Positions 201 apart at similarity 0.99933: sqrt(2 - 2 * 0.99933) row lengths.
  EXPECT_NEAR(choice_of(choices, "linear steps").nearest, std::sqrt(2 - 2 * kLinear[2]), 1e-10);
}

TEST(DesignFigures, SaysWhichDesignsPass) {
  const ChoiceSetting setting;
  const Figure figure = choices_figure(measured_choices(setting), setting);
  EXPECT_NO_THROW(check_figure(figure));
  EXPECT_EQ(figure.claims_id, "D2-F2");
  for (const char* part : {"for: real, base 100, base 1e6, linear steps, one frequency. ",
                           "come: linear steps, one frequency, log p, 1 / p. ",
                           "Both tests pass: real, base 100, base 1e6."})
    EXPECT_NE(figure.caption.find(part), std::string::npos) << figure.caption;
}

/// What a learner wrote is what is measured.
TEST(DesignFigures, FollowsTheAnglesAndTheFitItIsGiven) {
  const AnglesByName squared = [](const std::string&) { return design_named("square").with(); };
  const ChoiceSetting setting{.positions = 32, .far_positions = 64, .far_width = 8};
  EXPECT_GT(choice_of(measured_choices(setting, squared), "real").one_pair, 0.5);
  const ShiftResidual third = [](const xt::xarray<double>&, std::size_t) { return 1.0 / 3; };
  EXPECT_EQ(choice_of(measured_choices(setting, angles_of, third), "real").all_pairs, 1.0 / 3);
}

TEST(DesignFigures, AreInTheTable) {
  ASSERT_EQ(design_figures().size(), 1u);
  EXPECT_EQ(design_figures()[0].id, "D2-F2");
}

}  // namespace
}  // namespace phasor
