// Lab 04 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "labs/lab04_design/proof.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

using test::any_of;

class Lab04 : public test::LabTest<Lab04> {
 public:
  static constexpr const char* kLab = "lab04_design";

 protected:
  static test::FigureWords words(const std::string& id) { return test::words_of(out(), id); }
};

TEST_F(Lab04, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.figures, 4);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 18);
  EXPECT_EQ(summary.claims.size(), 15u);
  EXPECT_EQ(run_->text.find_first_of("\x1b\r"), std::string::npos);
}

TEST_F(Lab04, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab04, MakesItsFigures) {
  test::expect_figures(out(), {{"lab04-choices", "D2-F2"},
                               {"lab04-collisions", ""},
                               {"lab04-bases", ""},
                               {"lab04-fourier", ""}});
}

TEST_F(Lab04, WordsOfItsFiguresHoldTheirNumbers) {
  EXPECT_NE(words("lab04-choices").caption.find("Both tests pass: real, base 100, base 1e6."),
            std::string::npos);
  EXPECT_NE(words("lab04-bases").alt.find("longest wave of 60 at width 8"), std::string::npos)
      << words("lab04-bases").alt;
  for (const char* part : {"64 singular values 22 are above 1 % of the largest",
                           "rebuilds 17 % of an impulse at position 64", "64 and 50 %"})
    EXPECT_NE(words("lab04-fourier").alt.find(part), std::string::npos)
        << words("lab04-fourier").alt;
}

TEST_F(Lab04, SameBytesOnTheNextRun) {
  const test::TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 16u);
}

TEST_F(Lab04, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab04::kCauses);
}

TEST_F(Lab04, EveryCommandOfTheGuideRuns) { test::expect_commands_run(kLab); }

TEST_F(Lab04, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"0.21", "8e-05"});
}

TEST(Lab04Options, WrongUseIsOneClearLine) {
  for (const char* arguments : {"--nonsense", "--width 7", "--shift 0", "--shift 61"})
    test::expect_wrong_use(Lab04::kLab, arguments);
}

// --- what the checks do with mistakes ------------------------------------------------------------

double right_angles(const std::string& design, std::size_t p, std::size_t k, std::size_t d) {
  for (const Design& known : designs())
    if (known.name == design) return known.with()(p, k, d);
  throw std::invalid_argument("no such design");
}

xt::xarray<double> right_fit(const xt::xarray<double>& pe, std::size_t k) {
  return shift_fit(pe, k).matrix;
}

std::vector<std::string> failed(const lab04::Angles& angles, const lab04::FitShift& fit) {
  std::vector<std::string> names;
  for (const auto& checks :
       {lab04::prove_angles(angles), lab04::prove_fit(fit), lab04::prove_residuals(angles, fit)})
    for (std::string& name : test::failed(checks)) names.push_back(std::move(name));
  return names;
}

TEST(Lab04Checks, PassWhatIsRight) { EXPECT_TRUE(failed(right_angles, right_fit).empty()); }

TEST(Lab04Checks, FailForWrongAngles) {
  // The angle of one design replaced.
  const auto with = [](const std::string& name, double (*wrong)(double p, double k, double d)) {
    return failed(
        [name, wrong](const std::string& design, std::size_t p, std::size_t k, std::size_t d) {
          return design == name
                     ? wrong(static_cast<double>(p), static_cast<double>(k), static_cast<double>(d))
                     : right_angles(design, p, k, d);
        },
        right_fit);
  };
  EXPECT_TRUE(any_of(with("real",
                          [](double p, double k, double d) {
                            return p * std::pow(10000, -k / d);  // k/d instead of 2k/d
                          }),
                     "\"real\": largest"));
  EXPECT_TRUE(any_of(with("real", [](double p, double, double) { return p; }), "\"real\""));
  EXPECT_TRUE(any_of(with("linear",
                          [](double p, double k, double d) {
                            return p * k / (d / 2);  // steps from 0
                          }),
                     "\"linear\""));
  EXPECT_TRUE(any_of(with("log",
                          [](double p, double k, double d) {
                            return std::log(p) * std::pow(10000, -2 * k / d);  // of 0
                          }),
                     "\"log\""));
  EXPECT_TRUE(any_of(with("square",
                          [](double p, double k, double d) {
                            const double a = p * std::pow(10000, -2 * k / d);
                            return a * a;  // w squared too
                          }),
                     "\"square\": largest"));
  EXPECT_TRUE(any_of(with("inverse",
                          [](double p, double k, double d) {
                            return std::pow(10000, 2 * k / d) / (1 + p);  // 1 / (p w)
                          }),
                     "\"inverse\""));
  EXPECT_TRUE(any_of(with("real",
                          [](double p, double k, double d) {
                            return p * p * std::pow(10000, -2 * k / d) / p;  // no number at 0
                          }),
                     "\"real\": largest"));
}

TEST(Lab04Checks, AnUnknownDesignMustBeRefused) {
  const auto lenient = [](const std::string& design, std::size_t p, std::size_t k, std::size_t d) {
    return design == "cubic" ? 0 : right_angles(design, p, k, d);
  };
  EXPECT_TRUE(any_of(failed(lenient, right_fit), "unknown design"));
}

TEST(Lab04Checks, FailForWrongFits) {
  const auto transposed_fit = [](const xt::xarray<double>& pe, std::size_t k) {
    return transposed(right_fit(pe, k));
  };
  EXPECT_TRUE(any_of(failed(right_angles, transposed_fit), "largest difference from A"));
  EXPECT_TRUE(any_of(failed(right_angles, transposed_fit), "\"real\", one pair"));
  const auto one_step = [](const xt::xarray<double>& pe, std::size_t) { return right_fit(pe, 1); };
  EXPECT_TRUE(any_of(failed(right_angles, one_step), "k = 2"));
  // Fitted to the first rows, as many as there are columns: exact there, and wrong elsewhere.
  const auto few_rows = [](const xt::xarray<double>& pe, std::size_t k) {
    const std::size_t count = std::min(pe.shape(0), pe.shape(1) + k);
    auto rows = xt::xarray<double>::from_shape({count, pe.shape(1)});
    std::copy_n(pe.data(), rows.size(), rows.data());
    return right_fit(rows, k);
  };
  EXPECT_TRUE(any_of(failed(right_angles, few_rows), "\"log\", one pair"));
  const auto nothing = [](const xt::xarray<double>& pe, std::size_t) {
    return xt::xarray<double>(xt::zeros<double>({pe.shape(1), pe.shape(1)}));
  };
  EXPECT_GE(failed(right_angles, nothing).size(), 8u);
}

TEST(Lab04Checks, WhatThrowsOrHasAnotherShapeFails) {
  const auto throws = [](const xt::xarray<double>&, std::size_t) -> xt::xarray<double> {
    throw std::runtime_error("not yet");
  };
  EXPECT_EQ(failed(right_angles, throws).size(), 9u);
  const auto small = [](const xt::xarray<double>&, std::size_t) {
    return xt::xarray<double>(xt::zeros<double>({1, 1}));
  };
  EXPECT_NE(lab04::unusable(lab04::FitShift(small)), "");
  EXPECT_EQ(failed(right_angles, small).size(), 9u);
}

}  // namespace
}  // namespace phasor
