// The numbers behind the claims about rotations, and what broken rotations make of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "phasor/analysis/frequency.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/course/rope/claims.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/golden_files.hpp"

namespace phasor {
namespace {

using test::measured;
using test::number;

Verdict verdict(const std::string& id, const Rotation& rotate) {
  return measured(id, {.rotate = rotate}).verdict;
}

/// Turns pairs of columns by cosines and sines of angle(p, k, width, base).
template <class Angle>
Rotation with_angles(Angle angle) {
  return
      [angle](const xt::xarray<double>& rows, const std::vector<double>& positions, double base) {
        xt::xarray<double> result = rows;
        const std::size_t width = rows.shape(1);
        for (std::size_t t = 0; t < positions.size(); ++t)
          for (std::size_t k = 0; k < width / 2; ++k) {
            const double a = angle(positions[t], k, width, base);
            const double x = rows(t, 2 * k), y = rows(t, 2 * k + 1);
            result(t, 2 * k) = x * std::cos(a) - y * std::sin(a);
            result(t, 2 * k + 1) = x * std::sin(a) + y * std::cos(a);
          }
        return result;
      };
}

double frequency(std::size_t k, std::size_t width, double base) {
  return std::pow(base, -2 * static_cast<double>(k) / static_cast<double>(width));
}

const Rotation kWrongBase = with_angles(
    [](double p, std::size_t k, std::size_t width, double) { return p * frequency(k, width, 50); });
const Rotation kLinearSpacing = with_angles([](double p, std::size_t k, std::size_t width, double) {
  return p * (1 - 2 * static_cast<double>(k) / static_cast<double>(width));
});
const Rotation kSquares = with_angles([](double p, std::size_t k, std::size_t width, double base) {
  return p * p * frequency(k, width, base);
});

/// The two columns of every pair change places after the rotation.
xt::xarray<double> swapped(const xt::xarray<double>& rows, const std::vector<double>& positions,
                           double base) {
  xt::xarray<double> result = rotated(rows, positions, base);
  for (std::size_t t = 0; t < rows.shape(0); ++t)
    for (std::size_t k = 0; k < rows.shape(1); k += 2) std::swap(result(t, k), result(t, k + 1));
  return result;
}

/// The second column of a pair has the frequency of the next pair.
xt::xarray<double> two_speeds(const xt::xarray<double>& rows, const std::vector<double>& positions,
                              double base) {
  xt::xarray<double> result = rotated(rows, positions, base);
  const std::size_t width = rows.shape(1);
  for (std::size_t t = 0; t < positions.size(); ++t)
    for (std::size_t k = 0; k < width / 2; ++k) {
      const double a = positions[t] * frequency(k + 1, width, base);
      result(t, 2 * k + 1) = rows(t, 2 * k) * std::sin(a) + rows(t, 2 * k + 1) * std::cos(a);
    }
  return result;
}

/// Every number of a row depends on all numbers of it.
xt::xarray<double> dense(const xt::xarray<double>& rows, const std::vector<double>& positions,
                         double base) {
  xt::xarray<double> result = rotated(rows, positions, base);
  for (std::size_t t = 0; t < rows.shape(0); ++t)
    for (std::size_t i = 0; i < rows.shape(1); ++i)
      for (std::size_t j = 0; j < rows.shape(1); ++j) result(t, i) += 0.1 * rows(t, j);
  return result;
}

constexpr Verdict kHolds = Verdict::kHolds, kFails = Verdict::kFails, kIf = Verdict::kHoldsIf;

/// One verdict for each of the claims that are measured on a rotation.
void expect_verdicts(const std::string& name, const Rotation& rotate,
                     const std::map<std::string, Verdict>& expected) {
  for (const auto& [id, wanted] : expected)
    EXPECT_EQ(name_of(verdict(id, rotate)), name_of(wanted)) << name << ", " << id;
}

TEST(RopeClaims, TheRotationPasses) {
  expect_verdicts("right", rotated,
                  {{"D1-offset-alone", kHolds},
                   {"D0-rotation-keeps-length", kHolds},
                   {"D2-rotations-compose", kHolds},
                   {"D2-same-mathematics", kHolds},
                   {"D1-complex-product", kIf},
                   {"D1-linear-attention", kIf},
                   {"D1-cheap-rotation", kHolds}});
}

/// Any frequencies make a rotation: what sees a wrong base are the claims that name frequencies.
TEST(RopeClaims, WrongFrequenciesAreSeenWhereFrequenciesCount) {
  for (const auto& [name, rotate] :
       {std::pair("wrong base", kWrongBase), std::pair("linear spacing", kLinearSpacing)})
    expect_verdicts(name, rotate,
                    {{"D1-offset-alone", kHolds},
                     {"D0-rotation-keeps-length", kHolds},
                     {"D2-rotations-compose", kHolds},
                     {"D2-same-mathematics", kFails},
                     {"D1-complex-product", kFails},
                     {"D1-linear-attention", kIf}});
}

TEST(RopeClaims, AnglesBySquareOfPositionFail) {
  expect_verdicts("squares", kSquares,
                  {{"D1-offset-alone", kFails},
                   {"D0-rotation-keeps-length", kHolds},
                   {"D2-rotations-compose", kFails},
                   {"D2-same-mathematics", kFails},
                   {"D1-complex-product", kFails},
                   {"D1-linear-attention", kFails}});
}

/// Swapped on both sides, a pair has the same products: they cannot tell.
TEST(RopeClaims, ASwappedPairIsSeenByValuesAndNotByProducts) {
  expect_verdicts("swapped", swapped,
                  {{"D1-offset-alone", kHolds},
                   {"D0-rotation-keeps-length", kHolds},
                   {"D2-rotations-compose", kFails},
                   {"D2-same-mathematics", kFails},
                   {"D1-complex-product", kFails}});
}

TEST(RopeClaims, OneValueThatIsNoNumberFails) {
  const Rotation broken = [](const xt::xarray<double>& rows, const std::vector<double>& positions,
                             double base) {
    xt::xarray<double> result = rotated(rows, positions, base);
    result(0, 0) = std::nan("");
    return result;
  };
  expect_verdicts("no number", broken,
                  {{"D0-rotation-keeps-length", kFails},
                   {"D2-rotations-compose", kFails},
                   {"D2-same-mathematics", kFails}});
}

TEST(RopeClaims, TwoSpeedsInAPairFail) {
  expect_verdicts("two speeds", two_speeds,
                  {{"D1-offset-alone", kFails},
                   {"D0-rotation-keeps-length", kFails},
                   {"D2-rotations-compose", kFails},
                   {"D2-same-mathematics", kFails},
                   {"D1-complex-product", kFails},
                   {"D1-linear-attention", kFails}});
}

TEST(RopeClaims, ADenseMatrixIsNotCheap) { EXPECT_EQ(verdict("D1-cheap-rotation", dense), kFails); }

TEST(RopeClaims, NumbersBehindTheVerdicts) {
  const Finding offsets = measured("D1-offset-alone");
  EXPECT_LT(number(offsets, "rotated"), 1e-13);  // rounding of sums of 32 products
  EXPECT_GT(number(offsets, "added"), 0.1);
  const Finding plain = measured("D1-complex-product");
  EXPECT_LT(number(plain, "conjugated"), 1e-13);
  EXPECT_GT(number(plain, "plain"), 1);
  const Finding cost = measured("D1-cheap-rotation");
  EXPECT_EQ(number(cost, "numbers"), 2);
  // 2 rotations * 2 * 64 of 12 * 64^2 + 64 * 64 multiplications.
  EXPECT_NEAR(number(cost, "share"), 256.0 / 53248, 1e-15);
  const Finding parameters = measured("D1-no-parameters");
  EXPECT_EQ(parameters.verdict, kHolds);
  EXPECT_EQ(number(parameters, "learned") - number(parameters, "none"), 64 * 64);
  const Finding layers = measured("D2-every-layer");
  EXPECT_EQ(layers.verdict, kHolds);
  EXPECT_EQ(number(layers, "rotated"), 3);
  EXPECT_EQ(number(layers, "added"), 1);
}

TEST(RopeClaims, TheNormaliserMustStayUnrotated) {
  const Finding finding = measured("D1-linear-attention");
  EXPECT_LT(number(finding, "moved"), 1e-12);  // rounding of sums over 512 keys
  EXPECT_GT(number(finding, "elu negative"), 0);
  EXPECT_GT(number(finding, "exp negative"), number(finding, "elu negative"));
  EXPECT_LT(number(finding, "elu least ratio"), 0);
  EXPECT_LT(number(finding, "exp least ratio"), 0);
  EXPECT_LT(number(finding, "wide least ratio"), 0.5);
  EXPECT_GT(number(finding, "least unrotated"), 0);
  // Nothing turns: denominators stay positive and the condition is not needed.
  const Rotation still = [](const xt::xarray<double>& rows, const std::vector<double>&, double) {
    return rows;
  };
  EXPECT_EQ(verdict("D1-linear-attention", still), kHolds);
}

/// Losses from `at` to `at` + 0.1.
Spread losses(double at) { return {at + 0.05, at, at + 0.1}; }

/// The sentence says what the numbers say, in every case.
TEST(RopeClaims, TheSentenceOnOffsetsFollowsFromTheNumbers) {
  struct Case {
    double structure, rotated, sines, table;
    std::size_t seeds;
    Verdict verdict;
    const char* words;
  };
  const double none = std::nan("");
  const std::vector<Case> cases = {
      {1e-15, 1, 2, 3, 3, kHolds,
       "is ahead of added sines, and ahead of the added table, beyond the spread over seeds."},
      {0.3, 1, 2, 3, 3, kFails, "they are not a function of the offset"},
      {0.3, 1, 2, 3, 3, kFails,
       "is ahead of added sines, and ahead of the added table, beyond the"},
      {none, 1, 2, 3, 3, kFails, "they are not a function of the offset"},
      {1e-15, 1, 2, 1.05, 3, kFails, "and level with the added table, inside the spread"},
      {1e-15, 1, 0.5, 2, 3, kFails, "is behind added sines, and ahead of the added table, beyond"},
      {1e-15, 1, 2, 0.5, 3, kFails, "ahead of added sines, and behind the added table, beyond"},
      {1e-15, 1, 2, 3, 1, kFails, "with one seed, so a small difference may be noise"},
      {1e-15, 1, 2, 3, 1, kFails, "is ahead of added sines, and ahead of the added table."},
      {1e-15, none, 2, 3, 3, kFails, "is not to be compared with added sines"},
  };
  const Spread end = losses(0.5);  // where they end is told, and changes no verdict
  for (const Case& one : cases) {
    const Finding finding = judged({.structure = one.structure,
                                    .rotated = {losses(one.rotated), end},
                                    .sines = {losses(one.sines), end},
                                    .table = {losses(one.table), end},
                                    .seeds = one.seeds,
                                    .steps = 120});
    EXPECT_EQ(finding.verdict, one.verdict) << finding.measured;
    EXPECT_TRUE(test::says(finding, one.words)) << finding.measured;
    EXPECT_TRUE(test::says(finding, "After the last step it is 0.550 (0.500 to 0.600), 0.550"))
        << finding.measured;
  }
}

TEST(RopeClaims, TheTrainedOneSaysWhatToRun) {
  const Finding finding = measured("D2-nothing-to-extract", {.results = "/nowhere"});
  EXPECT_EQ(finding.verdict, Verdict::kNotMeasured);
  EXPECT_NE(finding.measured.find("labs/run 08"), std::string::npos) << finding.measured;
}

/// rotated() against vectors made by NumPy, at positions that need not be whole.
TEST(Rotated, IsTheGoldenRotation) {
  const xt::xarray<double> q = golden_doubles("schemes/rope.q.npy");
  const xt::xarray<double> places = golden_doubles("schemes/rope.positions.npy");
  const std::vector<double> positions(places.begin(), places.end());
  for (const double base : {10000.0, 500.0}) {
    const xt::xarray<double> expected =
        golden_doubles(fmt::format("schemes/rope.interleaved.base{:g}.fraction1.0.q.npy", base));
    const std::size_t T = positions.size(), D = q.shape(3);
    for (std::size_t head = 0; head * T * D < q.size(); ++head) {
      xt::xarray<double> rows = xt::zeros<double>({T, D});
      std::copy_n(q.data() + head * T * D, T * D, rows.begin());
      const xt::xarray<double> turned = rotated(rows, positions, base);
      // Angles up to 1000 rad, rounded to 1e-13, times numbers of order one.
      for (std::size_t i = 0; i < T * D; ++i)
        EXPECT_NEAR(turned.data()[i], expected.data()[head * T * D + i], 2e-12);
    }
  }
}

}  // namespace
}  // namespace phasor
