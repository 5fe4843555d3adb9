// Lab 02 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <cmath>

#include "labs/lab02_rotation/proof.hpp"
#include "phasor/course/shift/figures.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

using test::any_of;

class Lab02 : public test::LabTest<Lab02> {
 public:
  static constexpr const char* kLab = "lab02_rotation";
};

TEST_F(Lab02, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.figures, 4);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 11);
  EXPECT_EQ(summary.claims.size(), 11u);
  EXPECT_EQ(run_->text.find_first_of("\x1b\r"), std::string::npos);
}

TEST_F(Lab02, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab02, MakesItsFigures) {
  test::expect_figures(out(), {{"lab02-matrix", "D0-F2"},
                               {"lab02-turns", ""},
                               {"lab02-error", ""},
                               {"lab02-look-back", ""}});
}

TEST_F(Lab02, SameBytesOnTheNextRun) {
  const test::TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 16u);
}

TEST_F(Lab02, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab02::kCauses);
}

TEST_F(Lab02, EveryCommandOfTheGuideRuns) { test::expect_commands_run(kLab); }

TEST_F(Lab02, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"0.5403", "0.8415"});
}

TEST(Lab02Options, WrongUseIsOneClearLine) { test::expect_wrong_use(Lab02::kLab, "--nonsense"); }

// --- what the checks do with mistakes ------------------------------------------------------------

std::vector<std::string> failed(const ShiftMatrix& shift) {
  return test::failed(lab02::prove(shift));
}

/// The matrix with blocks at other places, angles or signs.
struct Mistake {
  bool halves = false;           ///< sines in rows 0 .. d/2 - 1, cosines below
  double exponent = 2;           ///< w_c = base^(-exponent c / d)
  double own_base = 0;           ///< instead of the given one
  double lower = -1, upper = 1;  ///< signs of the sines
  double lower_cosine = 1;
  bool accepts_odd = false;

  xt::xarray<double> operator()(double k, std::size_t d, double base) const {
    if (d % 2 != 0 && !accepts_odd) throw std::invalid_argument("odd");
    xt::xarray<double> m = xt::zeros<double>({d, d});
    for (std::size_t c = 0; c < d / 2; ++c) {
      const std::size_t x = halves ? c : 2 * c, y = halves ? c + d / 2 : 2 * c + 1;
      const double w = std::pow(own_base > 0 ? own_base : base,
                                -exponent * static_cast<double>(c) / static_cast<double>(d));
      m(x, x) = std::cos(k * w);
      m(y, y) = lower_cosine * std::cos(k * w);
      m(x, y) = upper * std::sin(k * w);
      m(y, x) = lower * std::sin(k * w);
    }
    return m;
  }
};

TEST(Lab02Checks, PassWhatIsRight) {
  EXPECT_EQ(lab02::unusable(Mistake{}), "");
  EXPECT_TRUE(failed(Mistake{}).empty());
  EXPECT_TRUE(failed([](double k, std::size_t d, double base) {
                return sinusoidal_shift(k, d, base);
              }).empty());
}

TEST(Lab02Checks, FailForTypicalMistakes) {
  EXPECT_TRUE(any_of(failed(Mistake{.lower = 1, .upper = -1}), "PE(p + k)"));  // turned back
  EXPECT_TRUE(any_of(failed(Mistake{.halves = true}), "PE(p + k)"));
  EXPECT_TRUE(any_of(failed(Mistake{.exponent = 1}), "PE(p + k)"));
  EXPECT_TRUE(any_of(failed(Mistake{.own_base = 10000}), "NumPy"));
  EXPECT_TRUE(any_of(failed(Mistake{.lower = 1}), "orthogonal"));
  EXPECT_TRUE(any_of(failed(Mistake{.lower = 1, .lower_cosine = -1}), "M_0 is the identity"));
  EXPECT_TRUE(any_of(failed(Mistake{.lower = 1, .lower_cosine = -1}), "M_7 M_k"));
  EXPECT_TRUE(any_of(failed(Mistake{.accepts_odd = true}), "odd width"));
}

/// Some mistakes keep some laws: why there is a check for each.
TEST(Lab02Checks, ARotationTheWrongWayKeepsEveryLawButTheShift) {
  const std::vector<std::string> names = failed(Mistake{.lower = 1, .upper = -1});
  for (const char* kept : {"orthogonal", "determinant", "identity", "M_7", "transpose"})
    EXPECT_FALSE(any_of(names, kept)) << kept;
}

TEST(Lab02Checks, AReflectionOfOnePairHasDeterminantMinusOne) {
  const ShiftMatrix mirrored = [](double k, std::size_t d, double base) {
    xt::xarray<double> m = sinusoidal_shift(k, d, base);
    m(0, 0) = -m(0, 0);
    m(0, 1) = -m(0, 1);
    return m;
  };
  EXPECT_TRUE(any_of(failed(mirrored), "determinant"));
  EXPECT_FALSE(any_of(failed(mirrored), "orthogonal"));
}

TEST(Lab02Checks, NothingToProveIsFoundFirst) {
  const ShiftMatrix small = [](double, std::size_t, double) {
    return xt::xarray<double>(xt::zeros<double>({4, 4}));
  };
  const ShiftMatrix zeros = [](double, std::size_t d, double) {
    return xt::xarray<double>(xt::zeros<double>({d, d}));
  };
  EXPECT_NE(lab02::unusable(small), "");
  EXPECT_EQ(lab02::unusable(zeros), "");  // the stub that the guide begins with
  EXPECT_GE(failed(zeros).size(), 8u);
  // The lab goes on to its figures and claims with it.
  const Evidence evidence = {.shift = zeros};
  for (const Figure& figure : {shift_matrix_figure(evidence), turns_figure(evidence),
                               shift_error_figure(evidence, 20), look_back_figure(evidence)})
    check_figure(figure);
}

}  // namespace
}  // namespace phasor
