// Lab 00 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "labs/lab00_order/proof.hpp"
#include "phasor/core/file.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

using lab00::Permutation;
using test::any_of;

class Lab00 : public test::LabTest<Lab00> {
 public:
  static constexpr const char* kLab = "lab00_order";
};

TEST_F(Lab00, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.figures, 3);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 10);
  EXPECT_EQ(summary.claims.size(), 7u);
  EXPECT_EQ(run_->text.find_first_of("\x1b\r"), std::string::npos);
}

TEST_F(Lab00, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab00, MakesItsFigures) {
  test::expect_figures(
      out(), {{"lab00-pair-weights", "D1-F1"}, {"lab00-shuffles", ""}, {"lab00-depth", ""}});
}

TEST_F(Lab00, SameBytesOnTheNextRun) {
  const test::TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 12u);
}

TEST_F(Lab00, AnotherSeedGivesOtherNumbersAndTheSameVerdicts) {
  const test::TemporaryFolder other;
  ASSERT_EQ(test::run_command(kLab, "labs/run 00 --seed 9", other.path()).code, 0);
  EXPECT_NE(read_file(out() / "lab00-depth.csv"), read_file(other.path() / "lab00-depth.csv"));
}

TEST_F(Lab00, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab00::kCauses);
}

TEST_F(Lab00, EveryCommandOfTheGuideRuns) { test::expect_commands_run(kLab); }

TEST_F(Lab00, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"119 orders"});
}

TEST(Lab00Options, WrongUseIsOneClearLine) { test::expect_wrong_use(Lab00::kLab, "--nonsense"); }

// --- what the checks do with mistakes ------------------------------------------------------------

std::vector<std::string> failed(const AttentionFunction& attend, const Permutation& permute) {
  return test::failed(lab00::prove(attend, permute, 1));
}

/// Attention with one thing done otherwise.
struct Mistake {
  double power = 0.5;  ///< logits are divided by D^power
  bool ignores_mask = false, inverts_mask = false;
  bool masks_weights = false;      ///< after the softmax, without dividing again
  bool plain_exponential = false;  ///< without the largest subtracted
  bool over_queries = false;       ///< softmax down the columns
  bool from_zero = false;          ///< a largest logit below 0 is not found

  xt::xarray<double> operator()(const xt::xarray<double>& q, const xt::xarray<double>& k,
                                const xt::xarray<double>& v, const xt::xarray<double>& mask) const {
    xt::xarray<double> w = product(q, transposed(k));
    const double scale = std::pow(static_cast<double>(q.shape(1)), -power);
    const auto seen = [&](std::size_t t, std::size_t s) {
      return ignores_mask || ((mask(t, s) != 0) != inverts_mask);
    };
    for (double& value : w) value *= scale;
    if (over_queries) w = transposed(w);
    for (std::size_t t = 0; t < w.shape(0); ++t) {
      double sum = 0, largest = from_zero ? 0 : -std::numeric_limits<double>::infinity();
      for (std::size_t s = 0; s < w.shape(1); ++s) largest = std::max(largest, w(t, s));
      if (plain_exponential) largest = 0;
      for (std::size_t s = 0; s < w.shape(1); ++s) {
        const bool hidden = over_queries ? !seen(s, t) : !seen(t, s);
        w(t, s) = hidden && !masks_weights ? 0 : std::exp(w(t, s) - largest);
        sum += w(t, s);
        if (hidden) w(t, s) = 0;
      }
      for (std::size_t s = 0; s < w.shape(1); ++s) w(t, s) /= sum;
    }
    if (over_queries) w = transposed(w);
    return product(w, v);
  }
};

TEST(Lab00Checks, PassWhatIsRight) {
  EXPECT_EQ(lab00::unusable(attended, permuted), "");
  EXPECT_TRUE(failed(attended, permuted).empty());
  EXPECT_TRUE(failed(Mistake{}, permuted).empty());
  EXPECT_GT(lab00::equivariance(attended, permuted, true, 1).least, 1e-3);
}

TEST(Lab00Checks, FailForTypicalMistakes) {
  EXPECT_TRUE(any_of(failed(Mistake{.power = 0}, permuted), "4 queries"));
  EXPECT_TRUE(any_of(failed(Mistake{.power = 1}, permuted), "4 queries"));
  EXPECT_TRUE(any_of(failed(Mistake{.ignores_mask = true}, permuted), "hidden key"));
  EXPECT_TRUE(any_of(failed(Mistake{.inverts_mask = true}, permuted), "4 queries"));
  EXPECT_TRUE(any_of(failed(Mistake{.masks_weights = true}, permuted), "sums to 1"));
  EXPECT_TRUE(any_of(failed(Mistake{.plain_exponential = true}, permuted), "1000 times"));
  EXPECT_EQ(
      failed(Mistake{.from_zero = true}, permuted),
      std::vector<std::string>{"queries that fit no key: largest difference from the mean of V"});
  EXPECT_TRUE(any_of(failed(Mistake{.over_queries = true}, permuted), "4 queries"));
}

TEST(Lab00Checks, FailForAMaskThatIsForgottenInAnyOrder) {
  const AttentionFunction open = Mistake{.ignores_mask = true};
  EXPECT_LE(lab00::equivariance(open, permuted, true, 1).least, 1e-12);
}

TEST(Lab00Checks, FailForAPermutationTheOtherWayRound) {
  const Permutation back = [](const auto& x, const auto& order) {
    return permuted(x, inverse_order(order));
  };
  // It still commutes with attention, so only the probe can tell.
  const std::vector<std::string> names = failed(attended, back);
  ASSERT_EQ(names.size(), 1u);
  EXPECT_TRUE(any_of(names, "permute(x, {1, 2, 0})"));
}

TEST(Lab00Checks, FailForAttentionThatKnowsPlaces) {
  const AttentionFunction biased = [](const auto& q, const auto& k, const auto& v,
                                      const auto& mask) {
    xt::xarray<double> out = attended(q, k, v, mask);
    for (std::size_t c = 0; c < out.shape(1); ++c) out(0, c) += 1e-9;
    return out;
  };
  EXPECT_TRUE(any_of(failed(biased, permuted), "f(Px)"));
}

TEST(Lab00Checks, NothingToProveIsFoundFirst) {
  const AttentionFunction zeros = [](const auto&, const auto&, const auto&, const auto&) {
    return xt::xarray<double>(xt::zeros<double>({4, 4}));
  };
  const AttentionFunction nothing = [](const auto& q, const auto&, const auto& v, const auto&) {
    return xt::xarray<double>(xt::zeros<double>({q.shape(0), v.shape(1)}));
  };
  EXPECT_NE(lab00::unusable(zeros, permuted), "");
  EXPECT_EQ(lab00::unusable(nothing, permuted), "");  // the stub that the guide begins with
  EXPECT_FALSE(failed(nothing, permuted).empty());
}

/// The lab around other functions than its solution (lab00_wrong.cpp).
test::ProgramOutcome wrong_lab(bool of_another_shape) {
  const test::TemporaryFolder folder;
  if (of_another_shape) ::setenv("PHASOR_MISTAKE", "shape", 1);
  const test::ProgramOutcome outcome = test::run_program(
      "lab00_wrong", fmt::format("--out '{}'", (folder.path() / "lab00").string()), "2>&1");
  ::unsetenv("PHASOR_MISTAKE");
  return outcome;
}

TEST(Lab00Stub, FailsAndSaysWhatToLookFor) {
  const test::ProgramOutcome outcome = wrong_lab(false);
  EXPECT_EQ(outcome.code, 1) << outcome.text;
  test::expect_in_order(
      outcome.text,
      {"FAIL  permute", "first at [0, 0]: 0, wanted is 10",
       "look for: the order read the other way round", "FAIL  4 queries", "first at [0, 0]: 0, ",
       "look for: no sqrt(D)", "7 checks above failed", "Mend labs/lab00_order/solution.cpp"});
  for (const char* section : {"LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"})
    EXPECT_EQ(outcome.text.find(section), std::string::npos) << section;
}

TEST(Lab00Stub, AWrongShapeIsNamed) {
  const test::ProgramOutcome outcome = wrong_lab(true);
  EXPECT_EQ(outcome.code, 1) << outcome.text;
  EXPECT_NE(outcome.text.find("attention of 4 queries over 5 keys, V 5 x 2, gives 5 x 2, wanted "
                              "is 4 x 2"),
            std::string::npos)
      << outcome.text;
  EXPECT_EQ(outcome.text.find("LOOK"), std::string::npos);
}

}  // namespace
}  // namespace phasor
