// Lab 03 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <cmath>

#include "labs/lab03_inner_product/proof.hpp"
#include "phasor/course/product/figures.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

using test::any_of;

class Lab03 : public test::LabTest<Lab03> {
 public:
  static constexpr const char* kLab = "lab03_inner_product";
};

TEST_F(Lab03, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.figures, 5);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 6);
  EXPECT_EQ(summary.claims.size(), 17u);
  EXPECT_EQ(run_->text.find_first_of("\x1b\r"), std::string::npos);
}

TEST_F(Lab03, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab03, MakesItsFigures) {
  test::expect_figures(out(), {{"lab03-flat", "D4-F1"},
                               {"lab03-similarity", "D1-F3"},
                               {"lab03-properties", "D0-F3"},
                               {"lab03-decay", ""},
                               {"lab03-between", ""}});
}

TEST_F(Lab03, WordsOfItsFiguresHoldTheirNumbers) {
  const auto alt = [&](const char* id) { return test::words_of(out(), id).alt; };
  for (const char* part : {"width 512: 0.51, 0.44, 0.18", "the law says 0.51, 0.44, 0.19"})
    EXPECT_NE(alt("lab03-decay").find(part), std::string::npos) << alt("lab03-decay");
  for (const char* part : {"symmetric about 0", "largest at -2"})
    EXPECT_NE(alt("lab03-between").find(part), std::string::npos) << alt("lab03-between");
}

TEST_F(Lab03, SameBytesOnTheNextRun) {
  const test::TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  // Four files a figure; the similarity matrix has a page as well.
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 21u);
}

TEST_F(Lab03, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab03::kCauses);
}

TEST_F(Lab03, EveryCommandOfTheGuideRuns) { test::expect_commands_run(kLab); }

TEST_F(Lab03, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"3.5353", "3.5163", "47.1850"});
}

TEST(Lab03Options, WrongUseIsOneClearLine) {
  for (const char* arguments : {"--nonsense", "--width 7", "--width 0", "--base 0"})
    test::expect_wrong_use(Lab03::kLab, arguments);
}

// --- what the checks do with mistakes ------------------------------------------------------------

std::vector<std::string> failed(const lab03::DotsByDistance& dots) {
  return test::failed(lab03::prove(dots));
}

/// The right table with every entry that is a number replaced.
lab03::DotsByDistance with(
    const std::function<double(const xt::xarray<double>& right, std::size_t distance,
                               std::size_t i)>& change) {
  return [change](const xt::xarray<double>& pe) {
    const xt::xarray<double> right = dots_of(pe);
    xt::xarray<double> wrong = right;
    for (std::size_t distance = 0; distance < pe.shape(0); ++distance)
      for (std::size_t i = 0; i + distance < pe.shape(0); ++i)
        wrong(distance, i) = change(right, distance, i);
    return wrong;
  };
}

TEST(Lab03Checks, PassWhatIsRight) { EXPECT_TRUE(failed(dots_of).empty()); }

TEST(Lab03Checks, FailForTypicalMistakes) {
  const auto cosine = with([](const auto& right, std::size_t distance, std::size_t i) {
    return right(distance, i) / std::sqrt(right(0, i) * right(0, i + distance));
  });
  EXPECT_TRUE(any_of(failed(cosine), "whole numbers"));
  EXPECT_TRUE(any_of(failed(cosine), "sum of cosines"));
  const auto first_pair =
      with([](const auto& right, std::size_t distance, std::size_t) { return right(distance, 0); });
  EXPECT_TRUE(any_of(failed(first_pair), "whole numbers"));
  const auto off_by_one = with([](const auto& right, std::size_t distance, std::size_t i) {
    return i + distance + 1 < right.shape(0) ? right(distance + 1, i) : right(distance, i);
  });
  EXPECT_TRUE(any_of(failed(off_by_one), "whole numbers"));
  EXPECT_TRUE(any_of(failed(off_by_one), "15 positions"));
}

TEST(Lab03Checks, TheFormulaIsNoProductOfRows) {
  const lab03::DotsByDistance formula = [](const xt::xarray<double>& pe) {
    const std::vector<double> w = frequencies(pe.shape(1) + pe.shape(1) % 2, 10000);
    xt::xarray<double> dots = dots_of(pe);
    for (std::size_t distance = 0; distance < pe.shape(0); ++distance)
      for (std::size_t i = 0; i + distance < pe.shape(0); ++i)
        dots(distance, i) = sum_of_cosines(static_cast<double>(distance), w);
    return dots;
  };
  const std::vector<std::string> names = failed(formula);
  EXPECT_TRUE(any_of(names, "whole numbers"));
  EXPECT_TRUE(any_of(names, "base 50"));
  EXPECT_FALSE(any_of(names, "sum of cosines"));  // which alone would not have told
}

TEST(Lab03Checks, ZerosAreNotNothing) {
  const lab03::DotsByDistance zeros = [](const xt::xarray<double>& pe) {
    xt::xarray<double> dots = dots_of(pe);
    for (double& value : dots)
      if (std::isnan(value)) value = 0;
    return dots;
  };
  EXPECT_TRUE(any_of(failed(zeros), "whole numbers"));
  const lab03::DotsByDistance stub = [](const xt::xarray<double>& pe) {
    return xt::xarray<double>(xt::zeros<double>({pe.shape(0), pe.shape(0)}));
  };
  EXPECT_EQ(lab03::unusable(stub), "");  // the one that the guide begins with
  EXPECT_TRUE(any_of(failed(stub), "sum of cosines"));
}

TEST(Lab03Checks, ColumnsForRowsAreFound) {
  // table(i, D) instead of table(D, i).
  const lab03::DotsByDistance turned = [](const xt::xarray<double>& pe) {
    const xt::xarray<double> right = dots_of(pe);
    xt::xarray<double> wrong = right;
    for (std::size_t a = 0; a < pe.shape(0); ++a)
      for (std::size_t b = 0; b < pe.shape(0); ++b) wrong(a, b) = right(b, a);
    return wrong;
  };
  EXPECT_TRUE(any_of(failed(turned), "whole numbers"));
  EXPECT_TRUE(any_of(failed(turned), "15 positions"));
}

TEST(Lab03Checks, WhatThrowsOrHasAnotherShapeFails) {
  const lab03::DotsByDistance throws = [](const xt::xarray<double>&) -> xt::xarray<double> {
    throw std::runtime_error("not yet");
  };
  EXPECT_EQ(failed(throws).size(), 5u);
  const lab03::DotsByDistance small = [](const xt::xarray<double>&) {
    return xt::xarray<double>(xt::zeros<double>({2, 2}));
  };
  EXPECT_NE(lab03::unusable(small), "");
  EXPECT_GE(failed(small).size(), 4u);
}

}  // namespace
}  // namespace phasor
