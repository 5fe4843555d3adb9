// The numbers behind each verdict about the sinusoidal encoding, and what broken ones do to it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include "phasor/analysis/similarity.hpp"
#include "phasor/course/figures.hpp"
#include "phasor/course/sinusoid/claims.hpp"
#include "phasor/course/sinusoid/figures.hpp"
#include "phasor/course/topics.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/course/sinusoid_golden.hpp"

namespace phasor {
namespace {

using test::number;

Finding measured(const std::string& id, const Encoder& encode = sinusoid) {
  return test::measured(id, {.encode = encode});
}

Verdict verdict(const std::string& id, const Encoder& encode = sinusoid) {
  return measured(id, encode).verdict;
}

/// An encoding with the frequency w(k, width, base) in pair k.
template <class Frequency>
Encoder with(Frequency w) {
  return [w](std::size_t positions, std::size_t width, double base) {
    if (width % 2 != 0) throw std::invalid_argument("odd");
    xt::xarray<double> pe = xt::zeros<double>({positions, width});
    for (std::size_t p = 0; p < positions; ++p)
      for (std::size_t k = 0; k < width / 2; ++k) {
        const double angle =
            static_cast<double>(p) * w(static_cast<double>(k), static_cast<double>(width), base);
        pe(p, 2 * k) = std::sin(angle);
        pe(p, 2 * k + 1) = std::cos(angle);
      }
    return pe;
  };
}

const Encoder kWrongBase = [](std::size_t T, std::size_t d, double) { return sinusoid(T, d, 500); };
const Encoder kLinear = with([](double k, double d, double) { return (k + 1) / (d / 2); });
/// The last frequency is exactly 1 / base, at every width above 2.
const Encoder kToTheEnd = with(
    [](double k, double d, double base) { return d > 2 ? std::pow(base, -2 * k / (d - 2)) : 1.0; });
const Encoder kSwapped = [](std::size_t T, std::size_t d, double base) {
  xt::xarray<double> pe = sinusoid(T, d, base);
  for (std::size_t p = 0; p < T; ++p)
    for (std::size_t k = 0; k < d / 2; ++k) std::swap(pe(p, 2 * k), pe(p, 2 * k + 1));
  return pe;
};
const Encoder kTwiceAsLarge = [](std::size_t T, std::size_t d, double base) {
  xt::xarray<double> pe = sinusoid(T, d, base);
  for (double& value : pe) value *= 2;
  return pe;
};
/// One value is no number.
const Encoder kNoNumber = [](std::size_t T, std::size_t d, double base) {
  xt::xarray<double> pe = sinusoid(T, d, base);
  pe(0, 0) = std::nan("");
  return pe;
};
/// Position 40 is position 0 again.
const Encoder kRepeating = [](std::size_t T, std::size_t d, double base) {
  xt::xarray<double> pe = sinusoid(T, d, base);
  for (std::size_t p = 40; p < T; ++p)
    for (std::size_t i = 0; i < d; ++i) pe(p, i) = pe(p - 40, i);
  return pe;
};

TEST(SinusoidClaims, LongestWaveFallsShortAtEveryWidth) {
  const Finding finding = measured("D3-longest-wave");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  const char* widths[] = {"width 8", "width 32", "width 64", "width 128", "width 256", "width 512"};
  for (std::size_t i = 0; i < kLongestWaves.size(); ++i)
    // The lowest frequency is a power, a sine and an arc tangent of it, to a few roundings each.
    EXPECT_NEAR(number(finding, widths[i]) / kLongestWaves[i], 1, 1e-14) << widths[i];
  EXPECT_NE(finding.measured.find("by 3.5 %"), std::string::npos) << finding.measured;
  // To a tenth, as the frequency is taken, it would hold from there.
  EXPECT_EQ(number(finding, "from width"), kWaveFirstAbout[0]);
  // With an exponent that does reach 1 the claim would be true.
  EXPECT_EQ(verdict("D3-longest-wave", kToTheEnd), Verdict::kHolds);
}

TEST(SinusoidClaims, LowestFrequencyIsAboutThatForWideEncodingsOnly) {
  const Finding finding = measured("D3-lowest-frequency");
  EXPECT_EQ(finding.verdict, Verdict::kHoldsIf);
  EXPECT_EQ(number(finding, "from width"), kFirstAbout[0]);
  EXPECT_NEAR(number(finding, "width 8"), 1e-3, 1e-15);
  EXPECT_NEAR(number(finding, "width 512"), 1.0366e-4, 1e-8);
  EXPECT_EQ(verdict("D3-lowest-frequency", kWrongBase), Verdict::kFails);
  EXPECT_EQ(verdict("D3-lowest-frequency", kLinear), Verdict::kFails);
}

TEST(SinusoidClaims, TwoDimensionsShareAFrequency) {
  const Finding finding = measured("D3-own-frequency");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  EXPECT_EQ(number(finding, "frequencies"), 32);
  EXPECT_EQ(number(measured("D3-own-frequency", kLinear), "frequencies"), 32);
  EXPECT_EQ(number(measured("D3-own-frequency", test::split_pairs), "frequencies"), 33);
  // An encoding that does what is claimed: column i is a sine of the frequency base^(-i / d).
  const Encoder own = [](std::size_t T, std::size_t d, double base) {
    xt::xarray<double> pe = xt::zeros<double>({T, d});
    for (std::size_t p = 0; p < T; ++p)
      for (std::size_t i = 0; i < d; ++i)
        pe(p, i) = std::sin(static_cast<double>(p) *
                            std::pow(base, -static_cast<double>(i) / static_cast<double>(d)));
    return pe;
  };
  EXPECT_EQ(verdict("D3-own-frequency", own), Verdict::kHolds);
  EXPECT_EQ(verdict("D3-own-frequency", kNoNumber), Verdict::kFails);
}

TEST(SinusoidClaims, ClockTableFitsNoWidth) {
  const Finding finding = measured("D0-clock-table");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  EXPECT_EQ(number(finding, "rows that fit"), 4);
  EXPECT_EQ(number(finding, "best width"), 320);
  for (const auto& waves : {kClocksOf256, kClocksOf320}) {
    std::vector<std::string> words;
    for (const double wave : waves) words.push_back(sinusoids::grouped(wave));
    EXPECT_NE(finding.measured.find(fmt::format("{}", fmt::join(words, ", "))), std::string::npos)
        << finding.measured;
  }
  // An encoding made to the table's numbers fits it.
  const Encoder made = with([](double k, double, double) {
    for (const auto& clock : sinusoids::kClocks)
      if (static_cast<double>(clock.dimension) == 2 * k)
        return 2 * std::numbers::pi / clock.wavelength;
    return 1.0;
  });
  EXPECT_EQ(verdict("D0-clock-table", made), Verdict::kHolds);
}

TEST(SinusoidClaims, WavesThatAreRight) {
  for (const char* id :
       {"D0-quarter-wave", "D3-tenths", "D1-fast-and-slow", "D2-early-dimensions"}) {
    EXPECT_EQ(verdict(id), Verdict::kHolds) << id;
    EXPECT_EQ(verdict(id, kLinear), Verdict::kFails) << id;
  }
  EXPECT_EQ(verdict("D0-shortest-wave"), Verdict::kHolds);
  EXPECT_EQ(verdict("D0-shortest-wave", kLinear), Verdict::kHolds);   // its fastest turns as fast
  EXPECT_EQ(verdict("D0-shortest-wave", kSwapped), Verdict::kFails);  // turns the other way
  EXPECT_EQ(verdict("D0-quarter-wave", kWrongBase), Verdict::kFails);
  EXPECT_EQ(verdict("D3-tenths", kWrongBase), Verdict::kFails);
  EXPECT_EQ(verdict("D3-tenths", kSwapped), Verdict::kFails);
  EXPECT_NEAR(number(measured("D0-shortest-wave"), "width 8"), 6.283185307179586, 1e-13);
  // Means of 63 steps that are all equal but for the rounding of their angles.
  EXPECT_NEAR(number(measured("D2-early-dimensions"), "pair 0"), kMoves[0], 1e-13);
  EXPECT_NEAR(number(measured("D2-early-dimensions"), "last pair"), kMoves[1], 1e-13);
}

TEST(SinusoidClaims, TablesThatArePrinted) {
  const Finding worked = measured("D3-worked-table");
  EXPECT_EQ(worked.verdict, Verdict::kHolds);
  EXPECT_LE(number(worked, "largest difference"), 0.005);
  const Finding small = measured("D2-small-table");
  EXPECT_EQ(small.verdict, Verdict::kHoldsIf);
  EXPECT_EQ(number(small, "differ in double"), 1);
  EXPECT_EQ(number(small, "differ in float"), 0);
  for (const Encoder& broken : {kWrongBase, kSwapped, kLinear, kNoNumber}) {
    EXPECT_EQ(verdict("D3-worked-table", broken), Verdict::kFails);
    EXPECT_EQ(verdict("D2-small-table", broken), Verdict::kFails);
  }
}

TEST(SinusoidClaims, LengthAndBounds) {
  const Finding norm = measured("D0-exact-norm");
  EXPECT_EQ(norm.verdict, Verdict::kHolds);
  EXPECT_LT(number(norm, "largest difference"), 1e-13);  // the square root of 256 is known to 2e-15
  EXPECT_NE(norm.measured.find("8.0000 to 8.0000"), std::string::npos) << norm.measured;
  // Every design of sine and cosine pairs has this length; only the size of the values matters.
  EXPECT_EQ(verdict("D0-exact-norm", kLinear), Verdict::kHolds);
  EXPECT_EQ(verdict("D0-exact-norm", kSwapped), Verdict::kHolds);
  EXPECT_EQ(verdict("D0-exact-norm", kTwiceAsLarge), Verdict::kFails);
  EXPECT_EQ(verdict("D0-exact-norm", kNoNumber), Verdict::kFails);
  EXPECT_EQ(verdict("D0-bounded"), Verdict::kHolds);
  EXPECT_EQ(verdict("D0-bounded", kTwiceAsLarge), Verdict::kFails);
}

TEST(SinusoidClaims, EveryPositionHasItsOwn) {
  const Finding finding = measured("D1-unique");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  // Angles up to 10000 are known to 1e-12.
  EXPECT_NEAR(number(finding, "nearest of 10000 at width 8"), kNearest[0], 1e-10);
  EXPECT_NEAR(number(finding, "nearest of 100 at width 128"), kNearest[1], 1e-12);
  EXPECT_EQ(verdict("D1-unique", kRepeating), Verdict::kFails);
}

TEST(SinusoidClaims, NothingIsTrained) {
  const Finding finding = measured("D4-no-parameters");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_EQ(number(finding, "trained numbers"), 0);
  EXPECT_NE(finding.measured.find("learned has 2048"), std::string::npos) << finding.measured;
  EXPECT_EQ(verdict("D4-no-parameters", kWrongBase), Verdict::kFails);  // no scheme adds these
}

TEST(SinusoidClaims, AnOddWidthLeavesASineAlone) {
  EXPECT_EQ(verdict("D0-even-width"), Verdict::kHolds);
  const Finding finding = measured("D0-even-width");
  for (std::size_t i = 0; i < kLastSineAlone.size(); ++i)
    // Slow pairs are hard to tell apart: at width 7 the condition of the columns is 1e7.
    EXPECT_NEAR(number(finding, fmt::format("width {}", 2 * i + 1)) / kLastSineAlone[i], 1, 1e-3);
  EXPECT_LT(number(finding, "even"), 1e-13);
  EXPECT_EQ(verdict("D0-even-width", kWrongBase), Verdict::kHolds);  // pairs at any frequency
  // With one frequency for all pairs a sine has its cosine elsewhere; with squares there is no
  // matrix at any width.
  EXPECT_EQ(verdict("D0-even-width", test::one_wave(50)), Verdict::kFails);
  EXPECT_EQ(verdict("D0-even-width", test::squared_position()), Verdict::kFails);
  EXPECT_EQ(verdict("D0-even-width", kNoNumber), Verdict::kFails);
}

TEST(SinusoidClaims, ALogarithmIsLessAccurateThanAPower) {
  const Finding finding = measured("D0-log-space");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  // How exp and pow round their last bit is up to the library, NumPy's or the compiler's: half a
  // unit in the last place of single precision, 6e-8.
  EXPECT_NEAR(number(finding, "error of exp(log), width 128"), kSingleErrors[0], 1e-7);
  EXPECT_NEAR(number(finding, "error of the power, width 128"), kSingleErrors[1], 6e-8);
  EXPECT_GT(number(finding, "least ratio"), 1);
  EXPECT_GT(number(finding, "greatest ratio"), 5);
}

TEST(SinusoidClaims, HaveAnIdEachAndAFigureOfTheirLab) {
  std::set<std::string> ids;
  for (const Claim& claim : sinusoid_claims()) {
    EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
    EXPECT_EQ(claim.lab, "lab01");
    EXPECT_TRUE(claim.figure.starts_with("lab01-")) << claim.id;
    EXPECT_TRUE(claim.document.starts_with("D")) << claim.id;
  }
  EXPECT_EQ(ids.size(), 17u);
}

TEST(SinusoidFigures, GroupedNumbersAreReadable) {
  EXPECT_EQ(sinusoids::grouped(6.2831), "6.28");
  EXPECT_EQ(sinusoids::grouped(628.3), "628");
  EXPECT_EQ(sinusoids::grouped(58469.7), "58,470");
  EXPECT_EQ(sinusoids::grouped(1234567), "1,234,567");
  EXPECT_EQ(sinusoids::grouped(std::nan("")), "none");
}

/// What a caption says is what was drawn, also when that is not the encoding.
TEST(SinusoidFigures, CaptionsTellOfWhatIsDrawn) {
  using namespace sinusoids;
  const auto caption_has = [](const Figure& figure, const std::string& words) {
    EXPECT_NE(figure.caption.find(words), std::string::npos) << figure.caption;
  };
  caption_has(waves_figure(sinusoid(64, 32)), "each is 10 times as long");
  caption_has(waves_figure(test::wrong_base(64, 32, 0)), "each is 3.16 times as long");
  caption_has(clocks_figure(test::wrong_base(64, 32, 0)), "the last once in 471, so");
  caption_has(table_figure(sinusoid(5, 4)), "one turn takes 6.28 positions and 628.");
  caption_has(table_figure(test::wrong_base(5, 4, 0)), "one turn takes 6.28 positions and 62.8.");
  caption_has(worked_figure(sinusoid(4, 8)), "are 1, 0.1, 0.01, 0.001.");
  caption_has(worked_figure(test::wrong_base(4, 8, 0)), "are 1, 0.316, 0.1, 0.0316.");
  caption_has(decay_figure(dots_from(sinusoid(64, 32)), 32), "falls, but not at every step");
  caption_has(decay_figure({4, 3, 2, 1}, 8), "falls at every step");
  caption_has(decay_figure({1, 2, 3, 4}, 8), "The dot product with position 0. It");
  caption_has(overview_figure(sinusoid(100, 128)), "only the distance");
  xt::xarray<double> torn = sinusoid(100, 128);
  torn(50, 0) = 3;
  EXPECT_EQ(overview_figure(torn).caption.find("only the distance"), std::string::npos);
  xt::xarray<double> still = xt::ones<double>({8, 8});
  caption_has(clocks_figure(still), "turns once in infinitely many positions");
}

TEST(SinusoidFigures, AreAllThereAndSound) {
  std::set<std::string> ids;
  for (const FigureEntry& entry : sinusoid_figures()) {
    const Figure figure = entry.make("nowhere");
    EXPECT_NO_THROW(check_figure(figure));
    EXPECT_EQ(figure.claims_id, entry.id);
    EXPECT_EQ(entry.lab, "lab01");
    ids.insert(entry.id);
  }
  EXPECT_EQ(ids, (std::set<std::string>{"D0-F1", "D0-F5", "D0-T1", "D1-F2", "D2-F1", "D3-F1",
                                        "D3-F2", "D3-T1"}));
}

}  // namespace
}  // namespace phasor
