// The numbers behind the verdicts on shifts, and verdicts that change with what is fed in.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "labs/lab02_rotation/golden.hpp"
#include "phasor/course/shift/figures.hpp"
#include "phasor/course/shift/laws.hpp"
#include "phasor/course/topics.hpp"
#include "tests/course/claim_numbers.hpp"

namespace phasor {
namespace {

using test::measured;
using test::number;

/// The verdicts of all claims.
std::map<std::string, Verdict> verdicts(const Evidence& evidence) {
  std::map<std::string, Verdict> found;
  for (const Claim& claim : shift_claims()) found[claim.id] = claim.measure(evidence).verdict;
  return found;
}

TEST(ShiftClaims, TheLawsHoldToRounding) {
  // Angles below 110 are known to 7e-15; sums of 64 products.
  for (const char* id : {"D0-linear-shift", "D0-shift-orthogonal", "D0-shift-determinant",
                         "D0-shift-group", "D0-shift-inverse"}) {
    const Finding finding = measured(id);
    EXPECT_EQ(finding.verdict, Verdict::kHolds) << id;
    EXPECT_LE(number(finding, "error"), 5e-14) << id;
  }
  // Dot products of up to 100 here.
  EXPECT_EQ(measured("D0-shift-lengths").verdict, Verdict::kHolds);
  EXPECT_LE(number(measured("D0-shift-lengths"), "error"), 1e-12);
}

TEST(ShiftClaims, TurnsFollowTheOffsetAlone) {
  const Finding offset = measured("D3-offset-only"), rate = measured("D0-turn-proportional");
  EXPECT_EQ(offset.verdict, Verdict::kHolds);
  EXPECT_EQ(rate.verdict, Verdict::kHolds);
  // Angles near 1000 are known to 1.1e-13, and four of them meet.
  EXPECT_LE(number(offset, "spread"), 5e-13);
  EXPECT_LE(number(rate, "error"), 5e-13);
}

TEST(ShiftClaims, TheFastestClockTurnsByARadian) {
  const Finding finding = measured("D0-small-turns");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  EXPECT_NEAR(number(finding, "fastest, degrees"), 180 / std::acos(-1.0), 1e-12);
  // 10000^(-2c/64) is at most 6 degrees from c = 8 on: w_7 = 7.6 degrees, w_8 = 5.7.
  EXPECT_EQ(number(finding, "slow pairs"), 24);
}

TEST(ShiftClaims, TheCheckFailsInSinglePrecision) {
  const Finding finding = measured("D0-check-in-float");
  EXPECT_EQ(finding.verdict, Verdict::kFails);
  for (std::size_t n = 0; n < kShifts.size(); ++n) {
    // PyTorch rounds sines and powers its own way; see ShiftError in tests/analysis.
    const double error = number(finding, "k = " + std::to_string(kShifts[n]));
    EXPECT_NEAR(error, lab02::kGoldenFloatErrors[n], 5e-7) << kShifts[n];
    EXPECT_EQ(error > 1e-6, kShifts[n] >= 50) << kShifts[n];
  }
  EXPECT_LE(number(finding, "double"), 5e-14);
}

TEST(ShiftClaims, OneMatrixLooksBackEverywhere) {
  const Finding finding = measured("D0-looks-back");
  EXPECT_EQ(finding.verdict, Verdict::kHolds);
  EXPECT_EQ(number(finding, "hits"), 510);
  double margin = 0;  // sum over pairs of 1 - cos w_c: a neighbour is one position off
  for (int c = 0; c < 32; ++c) margin += 1 - std::cos(std::pow(10000.0, -2.0 * c / 64));
  EXPECT_NEAR(number(finding, "margin"), margin, 1e-11);
}

TEST(ShiftClaims, HaveWhatATableNeeds) {
  EXPECT_EQ(shift_claims().size(), 11u);
  for (const Claim& claim : shift_claims()) {
    EXPECT_EQ(claim.lab, "lab02") << claim.id;
    EXPECT_TRUE(claim.figure.starts_with("lab02-")) << claim.id;
    EXPECT_NE(claim.document.find(claim.id.substr(0, 2)), std::string::npos) << claim.id;
  }
}

// --- broken encodings
// -----------------------------------------------------------------------------

void expect_fails(const Evidence& evidence, const std::vector<std::string>& wanted) {
  for (const auto& [id, verdict] : verdicts(evidence)) {
    const bool fails = std::find(wanted.begin(), wanted.end(), id) != wanted.end();
    EXPECT_EQ(verdict, fails ? Verdict::kFails : Verdict::kHolds) << id;
  }
}

TEST(ShiftClaimsBroken, AWrongBase) {
  // It still turns by the offset alone, at other rates; what does not fit are the matrices.
  expect_fails({.encode = test::wrong_base},
               {"D0-linear-shift", "D0-turn-proportional", "D0-small-turns", "D0-check-in-float",
                "D0-looks-back"});
}

TEST(ShiftClaimsBroken, ASwappedPair) {
  const Encoder encode = [](std::size_t positions, std::size_t width, double base) {
    xt::xarray<double> pe = sinusoid(positions, width, base);
    for (std::size_t p = 0; p < positions; ++p)
      for (std::size_t i = 0; i < width; i += 2) std::swap(pe(p, i), pe(p, i + 1));
    return pe;
  };
  expect_fails({.encode = encode}, {"D0-linear-shift", "D0-turn-proportional", "D0-small-turns",
                                    "D0-check-in-float", "D0-looks-back"});
}

TEST(ShiftClaimsBroken, LinearSpacing) {
  expect_fails({.encode = test::linear_spacing()},
               {"D0-linear-shift", "D0-turn-proportional", "D0-small-turns", "D0-check-in-float",
                "D0-looks-back"});
}

TEST(ShiftClaimsBroken, ASquaredPositionTurnsDifferentlyEverywhere) {
  expect_fails({.encode = test::squared_position()},
               {"D0-linear-shift", "D3-offset-only", "D0-turn-proportional", "D0-small-turns",
                "D0-check-in-float", "D0-looks-back"});
}

TEST(ShiftClaimsBroken, WhatIsNoNumberFails) {
  const Encoder encode = [](std::size_t positions, std::size_t width, double base) {
    xt::xarray<double> pe = sinusoid(positions, width, base);
    if (positions > 12) pe(12, 0) = std::nan("");
    return pe;
  };
  for (const char* id : {"D3-offset-only", "D0-turn-proportional", "D0-looks-back"})
    EXPECT_EQ(measured(id, {.encode = encode}).verdict, Verdict::kFails) << id;
  const ShiftMatrix none = [](double k, std::size_t width, double base) {
    xt::xarray<double> matrix = sinusoidal_shift(k, width, base);
    matrix(0, 0) = std::nan("");
    return matrix;
  };
  for (const char* id : {"D0-linear-shift", "D0-shift-orthogonal", "D0-shift-determinant",
                         "D0-shift-group", "D0-shift-inverse", "D0-shift-lengths"})
    EXPECT_EQ(measured(id, {.shift = none}).verdict, Verdict::kFails) << id;
}

TEST(ShiftClaimsBroken, SlowClocksTurnLittle) {
  const Encoder encode = test::one_wave(100);  // 3.6 degrees a step
  EXPECT_EQ(measured("D0-small-turns", {.encode = encode}).verdict, Verdict::kHolds);
}

// --- broken matrices
// ------------------------------------------------------------------------------

TEST(ShiftClaimsBroken, AMatrixThatMovesBack) {
  const ShiftMatrix back = [](double k, std::size_t width, double base) {
    return sinusoidal_shift(-k, width, base);
  };
  // A rotation the wrong way round is as orthogonal, and as much of a group, as the right one.
  expect_fails({.shift = back},
               {"D0-linear-shift", "D0-small-turns", "D0-check-in-float", "D0-looks-back"});
}

TEST(ShiftClaimsBroken, AReflection) {
  const ShiftMatrix mirrored = [](double k, std::size_t width, double base) {
    xt::xarray<double> matrix = sinusoidal_shift(k, width, base);
    for (std::size_t i = 1; i < 2; ++i)
      for (std::size_t j = 0; j < width; ++j) matrix(i, j) = -matrix(i, j);
    return matrix;
  };
  const auto found = verdicts({.shift = mirrored});
  EXPECT_EQ(found.at("D0-shift-orthogonal"), Verdict::kHolds);
  EXPECT_EQ(found.at("D0-shift-lengths"), Verdict::kHolds);
  for (const char* id : {"D0-linear-shift", "D0-shift-determinant", "D0-shift-group",
                         "D0-shift-inverse", "D0-looks-back"})
    EXPECT_EQ(found.at(id), Verdict::kFails) << id;
}

TEST(ShiftClaimsBroken, AStretch) {
  const ShiftMatrix stretched = [](double k, std::size_t width, double base) {
    xt::xarray<double> matrix = sinusoidal_shift(k, width, base);
    for (double& value : matrix) value *= 1.001;
    return matrix;
  };
  const auto found = verdicts({.shift = stretched});
  for (const char* id : {"D0-linear-shift", "D0-shift-orthogonal", "D0-shift-determinant",
                         "D0-shift-group", "D0-shift-inverse", "D0-shift-lengths"})
    EXPECT_EQ(found.at(id), Verdict::kFails) << id;
}

// --- figures
// --------------------------------------------------------------------------------------

TEST(ShiftFigures, AreDrawnFromTheMeasures) {
  const Figure matrix = shift_matrix_figure({});
  check_figure(matrix);
  EXPECT_EQ(matrix.claims_id, "D0-F2");
  const xt::xarray<double>& digits = std::get<HeatmapPanel>(matrix.panels[3].content).values;
  ASSERT_EQ(digits.shape(0), 5u);
  for (const double value : digits) {
    EXPECT_GE(value, 13);  // 5e-14, as above
    EXPECT_LE(value, 16);
  }
  check_figure(turns_figure({}));
  check_figure(look_back_figure({}));
  const Figure error = shift_error_figure({}, 20);
  check_figure(error);
  const auto& lines = std::get<LinePanel>(error.panels[0].content);
  ASSERT_EQ(lines.series.size(), 3u);
  EXPECT_EQ(lines.series[2].y.size(), kShifts.size());
  for (std::size_t n = 0; n < lines.series[1].y.size(); ++n) {
    EXPECT_LE(lines.series[0].low[n], lines.series[0].y[n]);
    EXPECT_LE(lines.series[1].high[n], 5e-12);  // angles near 1000, 32 pairs
  }
}

}  // namespace
}  // namespace phasor
