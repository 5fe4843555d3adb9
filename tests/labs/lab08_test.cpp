// Lab 08 as a learner meets it: its program, its guide, and what its checks do with mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "labs/lab08_rope/proof.hpp"
#include "tests/course/claim_numbers.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

using lab08::Written;

class Lab08 : public test::LabTest<Lab08> {
 public:
  static constexpr const char* kLab = "lab08_rope";
};

TEST_F(Lab08, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.figures, 5);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_EQ(summary.checks_passed, 19);
  EXPECT_EQ(summary.claims.size(), 10u);
  EXPECT_EQ(run_->text.find_first_of("\x1b\r"), std::string::npos);
}

TEST_F(Lab08, GoesThroughItsSections) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab08, AnswersTheFirstPrediction) {
  const auto product = [](const std::string& move) {
    std::smatch found;
    EXPECT_TRUE(std::regex_search(run_->text, found, std::regex(move + " +\\d+ +\\d+ +(\\S+)\n")));
    return found[1].str();
  };
  const std::string before = product("to begin with");
  EXPECT_EQ(product("both moved by 100"), before);
  EXPECT_NE(product("the query alone moved by 1"), before);
  EXPECT_NE(product("m and n swapped"), before);
}

TEST_F(Lab08, MakesItsFigures) {
  test::expect_figures(out(), {{"lab08-angles", ""},
                               {"lab08-matrices", ""},
                               {"lab08-stripes", ""},
                               {"lab08-normaliser", ""},
                               {"lab08-loss", ""}});
}

/// The verdict of the claim that takes the trained models, and what a broken rotation changes.
TEST_F(Lab08, ItsModelsCarryTheClaim) {
  const Rotation squares = [](const xt::xarray<double>& rows, std::vector<double> positions,
                              double base) {
    for (double& p : positions) p *= p;
    return rotated(rows, positions, base);
  };
  const Evidence right{.own_lab = "lab08", .own_folder = out()};
  const Evidence wrong{.rotate = squares, .own_lab = "lab08", .own_folder = out()};
  const Finding finding = test::measured("D2-nothing-to-extract", right);
  EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.measured;
  EXPECT_EQ(test::measured("D2-nothing-to-extract", wrong).verdict, Verdict::kFails);
}

/// Which rotation is trained with, and on which characters each loss is measured.
TEST_F(Lab08, SaysWhatItMeasures) {
  const std::string text = test::replaced(run_->text, "\\s+", " ");
  // 128 windows of 64 characters, which is about 8000.
  for (const char* words :
       {"by the library's own rotation", "Losses after training, on 8192 characters",
        "from losses on some 4000 characters", "and the audit below, are",
        "Over 120 steps, over 3 seeds, the validation loss is on average"})
    EXPECT_NE(text.find(words), std::string::npos) << words;
  const std::string caption = test::words_of(out(), "lab08-loss").caption;
  EXPECT_NE(caption.find("on 8192 characters: rope"), std::string::npos) << caption;
  EXPECT_NE(caption.find("measured on the way, on some 4000."), std::string::npos) << caption;
}

TEST_F(Lab08, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab08::kCauses);
}

/// Those that read the lab's results find them where this test has put them.
TEST_F(Lab08, EveryCommandOfTheGuideRuns) {
  EXPECT_GE(test::expect_commands_run(kLab, {{"out/lab08", out().string()}}, false), 5u);
}

TEST_F(Lab08, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"3667 degrees", "5 of 16 pairs", "16 of 64 entries"});
}

TEST(Lab08Options, WrongUseIsOneClearLine) { test::expect_wrong_use(Lab08::kLab, "--nonsense"); }

/// A rotation with its own idea of angle and direction.
struct Recipe {
  bool interleaved_for_both = false;
  double direction = 1;
  double exponent = -2;  // of the base, times c / D
  bool takes_base = true, square = false;
};

xt::xarray<double> turned(const Recipe& recipe, const xt::xarray<double>& rows,
                          const std::vector<double>& positions, double base, RopePairing pairing) {
  if (rows.shape(1) % 2 != 0 || rows.shape(0) != positions.size())
    throw std::invalid_argument("refused");
  const bool interleaved = recipe.interleaved_for_both || pairing == RopePairing::kInterleaved;
  const std::size_t D = rows.shape(1);
  xt::xarray<double> result = rows;
  for (std::size_t t = 0; t < positions.size(); ++t)
    for (std::size_t c = 0; c < D / 2; ++c) {
      const double w = std::pow(recipe.takes_base ? base : 10000,
                                recipe.exponent * static_cast<double>(c) / static_cast<double>(D));
      const double p = recipe.square ? positions[t] * positions[t] : positions[t];
      const std::size_t i = interleaved ? 2 * c : c, j = interleaved ? 2 * c + 1 : c + D / 2;
      const double cosine = std::cos(p * w), sine = recipe.direction * std::sin(p * w);
      result(t, i) = rows(t, i) * cosine - rows(t, j) * sine;
      result(t, j) = rows(t, i) * sine + rows(t, j) * cosine;
    }
  return result;
}

Written written(const Recipe& forward, const Recipe& backward) {
  const auto with = [](const Recipe& recipe) {
    return
        [recipe](const xt::xarray<double>& rows, const std::vector<double>& positions, double base,
                 RopePairing pairing) { return turned(recipe, rows, positions, base, pairing); };
  };
  return {with(forward), with(backward)};
}

std::vector<std::string> failed(const Written& solution) {
  return test::failed(lab08::prove(solution));
}

bool fails_about(const Written& solution, const std::string& word) {
  return test::any_of(failed(solution), word);
}

constexpr Recipe kBack{.direction = -1};

TEST(Lab08Checks, TheRightOnePasses) {
  EXPECT_EQ(failed(written({}, kBack)), std::vector<std::string>{});
}

TEST(Lab08Checks, TypicalMistakesFail) {
  // Every one of these keeps lengths and products by offset: only values tell.
  EXPECT_TRUE(fails_about(written({.direction = -1}, {}), "values")) << "turned the other way";
  EXPECT_TRUE(fails_about(written({.exponent = -1}, {.direction = -1, .exponent = -1}), "values"));
  EXPECT_TRUE(fails_about(written({.exponent = -4}, {.direction = -1, .exponent = -4}), "values"));
  EXPECT_TRUE(fails_about(written({.takes_base = false}, {.direction = -1, .takes_base = false}),
                          "values"));
  for (const Recipe& recipe : {Recipe{.direction = -1}, Recipe{.exponent = -1}})
    EXPECT_FALSE(fails_about(written(recipe, kBack), "offsets"));
  const Written one_pairing =
      written({.interleaved_for_both = true}, {.interleaved_for_both = true, .direction = -1});
  EXPECT_TRUE(fails_about(one_pairing, "half is interleaved"));
  EXPECT_TRUE(fails_about(one_pairing, "half: values"));
  EXPECT_FALSE(fails_about(one_pairing, "interleaved: values"));
  const Recipe square{.square = true};
  EXPECT_TRUE(fails_about(written(square, kBack), "offsets"));
}

TEST(Lab08Checks, OneValueThatIsNoNumberFails) {
  const auto broken = [](const xt::xarray<double>& rows, const std::vector<double>& positions,
                         double base, RopePairing pairing) {
    xt::xarray<double> result = turned({}, rows, positions, base, pairing);
    result(0, 0) = std::nan("");
    return result;
  };
  EXPECT_TRUE(fails_about({broken, broken}, "values"));
  EXPECT_TRUE(fails_about({broken, broken}, "length"));
  EXPECT_TRUE(fails_about({written({}, {}).forward, broken}, "finite differences"));
}

TEST(Lab08Checks, AWrongBackwardFails) {
  EXPECT_TRUE(fails_about(written({}, {}), "finite differences")) << "the forward once more";
  EXPECT_TRUE(fails_about(written({}, {}), "gradient, base 50"));
  const auto as_it_comes = [](const xt::xarray<double>& dy, const std::vector<double>&, double,
                              RopePairing) { return dy; };
  EXPECT_TRUE(fails_about({written({}, {}).forward, as_it_comes}, "finite differences"));
}

TEST(Lab08Checks, WhatDoesNothingOrThrowsFails) {
  const auto nothing = [](const xt::xarray<double>& rows, const std::vector<double>&, double,
                          RopePairing) { return rows; };
  EXPECT_EQ(lab08::unusable({nothing, nothing}), "");  // the stubs that the guide begins with
  EXPECT_TRUE(fails_about({nothing, nothing}, "values"));
  EXPECT_TRUE(fails_about({nothing, nothing}, "an odd width"));
  EXPECT_TRUE(fails_about({nothing, nothing}, "two positions"));
  const auto broken = [](const xt::xarray<double>&, const std::vector<double>&, double,
                         RopePairing) -> xt::xarray<double> { throw std::runtime_error("no"); };
  // All but the two that want a refusal.
  EXPECT_EQ(failed({broken, broken}).size(), lab08::prove({nothing, nothing}).size() - 2);
}

}  // namespace
}  // namespace phasor
