// Lab 09 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "labs/lab09_biases/proof.hpp"
#include "phasor/position/alibi.hpp"
#include "phasor/position/t5_bias.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

using lab09::Written;

class Lab09 : public test::LabTest<Lab09> {
 public:
  static constexpr const char* kLab = "lab09_biases";
};

TEST_F(Lab09, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.figures, 6);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 14);
  EXPECT_EQ(summary.claims.size(), 7u);
  EXPECT_EQ(run_->text.find_first_of("\x1b\r"), std::string::npos);
}

TEST_F(Lab09, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab09, MakesItsFigures) {
  test::expect_figures(out(), {{"lab09-slopes", ""},
                               {"lab09-buckets", ""},
                               {"lab09-shift", ""},
                               {"lab09-maps", ""},
                               {"lab09-table", ""},
                               {"lab09-attention", ""}});
}

TEST_F(Lab09, ItsModelsCarryTheClaim) {
  const Finding finding =
      test::measured("D0-whole-model-moves", {.own_lab = "lab09", .own_folder = out()});
  EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.measured;
}

TEST_F(Lab09, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab09::kCauses);
}

/// Those that read the lab's results find them where this test has put them.
TEST_F(Lab09, EveryCommandOfTheGuideRuns) {
  EXPECT_GE(test::expect_commands_run(kLab, {{"out/lab09", out().string()}}, false), 5u);
}

TEST_F(Lab09, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"27 of the 32 buckets", "113", "236.4", "14 of 15"});
}

TEST(Lab09Options, WrongUseIsOneClearLine) { test::expect_wrong_use(Lab09::kLab, "--nonsense"); }

/// Entry by entry, where the solution moves memory.
xt::xarray<double> shifted(const xt::xarray<double>& by_distance) {
  const std::size_t T = by_distance.shape(0), S = by_distance.shape(1);
  xt::xarray<double> result = xt::zeros<double>({T, S});
  for (std::size_t i = 0; i < T; ++i)
    for (std::size_t j = 0; j <= S - T + i; ++j) result(i, j) = by_distance(i, T - 1 - i + j);
  return result;
}

const Written kRight = {phasor::alibi_slopes, phasor::t5_bucket, shifted};

/// How many checks fail.
std::size_t failures(const Written& solution) {
  return test::failed(lab09::prove(solution)).size();
}

std::size_t failures_of_slopes(const std::function<std::vector<double>(std::size_t)>& slopes) {
  Written solution = kRight;
  solution.slopes = slopes;
  return failures(solution);
}

TEST(Lab09Checks, TheRightOnesPass) {
  EXPECT_EQ(lab09::unusable(kRight), "");
  EXPECT_EQ(failures(kRight), 0u);
}

TEST(Lab09Checks, WrongSlopesFail) {
  const auto plain = [](std::size_t heads, double first, double last) {
    std::vector<double> slopes;
    for (double h = first; h < first + static_cast<double>(heads); ++h)
      slopes.push_back(std::exp2(-8 * h / last));
    return slopes;
  };
  // 2^(-8 h / H) for every H: right for powers of two only.
  EXPECT_EQ(failures_of_slopes([&](std::size_t n) { return plain(n, 1, static_cast<double>(n)); }),
            2u);
  // h from 0.
  EXPECT_EQ(failures_of_slopes([&](std::size_t n) { return plain(n, 0, static_cast<double>(n)); }),
            4u);
  // Sorted, where the further slopes come last.
  EXPECT_EQ(failures_of_slopes([](std::size_t n) {
              std::vector<double> slopes = phasor::alibi_slopes(n);
              std::sort(slopes.rbegin(), slopes.rend());
              return slopes;
            }),
            2u);
  // The first is no number.
  EXPECT_EQ(failures_of_slopes([](std::size_t n) {
              std::vector<double> slopes = phasor::alibi_slopes(n);
              slopes[0] = std::nan("");
              return slopes;
            }),
            4u);
}

TEST(Lab09Checks, WrongBucketsFail) {
  const auto with = [](auto bucket) {
    Written solution = kRight;
    solution.bucket = bucket;
    return failures(solution);
  };
  using phasor::t5_bucket;
  // The parameters typed in.
  EXPECT_GE(with([](double rel, std::size_t, double, bool causal) {
              return t5_bucket(rel, 32, 128, causal);
            }),
            1u);
  // The sides changed.
  EXPECT_EQ(with([](double rel, std::size_t n, double most, bool causal) {
              return t5_bucket(causal ? rel : -rel, n, most, causal);
            }),
            1u);
  // Never more than one side.
  EXPECT_EQ(with([](double rel, std::size_t n, double most, bool) {
              return t5_bucket(rel, n, most, true);
            }),
            1u);
  // Rounded, not cut off.
  EXPECT_GE(with([](double rel, std::size_t n, double most, bool causal) {
              const double e = static_cast<double>(n) / 2;
              if (!causal || rel < e) return t5_bucket(rel, n, most, causal);
              return std::min(static_cast<std::size_t>(
                                  std::round(e + std::log(rel / e) / std::log(most / e) * e)),
                              n - 1);
            }),
            2u);
  // The product of rounded logarithms, cut off.
  EXPECT_EQ(with([](double rel, std::size_t n, double most, bool causal) {
              const double e = static_cast<double>(n) / 2;
              if (!causal || rel < e) return t5_bucket(rel, n, most, causal);
              return std::min(static_cast<std::size_t>(
                                  e + std::floor(std::log(rel / e) / std::log(most / e) * e)),
                              n - 1);
            }),
            1u);
  // Without an end.
  EXPECT_GE(with([](double rel, std::size_t n, double most, bool causal) {
              const double e = static_cast<double>(n) / 2;
              if (!causal || rel < e) return t5_bucket(rel, n, most, causal);
              return static_cast<std::size_t>(e + std::log(rel / e) / std::log(most / e) * e);
            }),
            2u);
}

TEST(Lab09Checks, WrongShiftsFail) {
  const auto with = [](auto shift) {
    Written solution = kRight;
    solution.shift = shift;
    return failures(solution);
  };
  const auto nothing = [](const xt::xarray<double>& x) { return x; };
  EXPECT_EQ(with(nothing), 3u);  // one query with one key needs no shift
  // One column too far, and the rows of distances taken upside down.
  EXPECT_EQ(with([](const xt::xarray<double>& x) {
              xt::xarray<double> y = shifted(x);
              for (std::size_t i = 0; i < y.shape(0); ++i)
                for (std::size_t j = y.shape(1) - 1; j > 0; --j) y(i, j) = y(i, j - 1);
              return y;
            }),
            3u);
  EXPECT_GE(with([](const xt::xarray<double>& x) {
              xt::xarray<double> y = x;
              for (std::size_t i = 0; i < y.shape(0); ++i)
                for (std::size_t j = 0; j < y.shape(1); ++j) y(i, j) = x(i, y.shape(1) - 1 - j);
              return shifted(y);
            }),
            3u);
  EXPECT_EQ(with([](const xt::xarray<double>& x) {
              xt::xarray<double> y = shifted(x);
              y(0, 0) = std::nan("");
              return y;
            }),
            4u);
  EXPECT_EQ(
      with([](const xt::xarray<double>&) -> xt::xarray<double> { throw std::runtime_error("no"); }),
      4u);
}

}  // namespace
}  // namespace phasor
