// Lab 01 as a learner meets it: its program is run and its files are read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "labs/lab01_sinusoid/proof.hpp"
#include "phasor/core/file.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using test::any_of;
using test::TemporaryFolder;

using Outcome = test::ProgramOutcome;

/// Both streams, unless `redirect` says otherwise.
Outcome run(const std::string& program, const std::string& arguments,
            const std::string& redirect = "2>&1") {
  return test::run_program(program, arguments, redirect);
}

/// The `value` column of a figure's table, for the rows of one kind.
std::vector<double> values_of(const fs::path& csv, const std::string& kind) {
  std::istringstream lines(read_file(csv));
  std::vector<double> values;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.size() > 5 && cells[1] == kind) values.push_back(std::stod(cells[5]));
  }
  return values;
}

class Lab01 : public test::LabTest<Lab01> {
 public:
  static constexpr const char* kLab = "lab01_sinusoid";
};

TEST_F(Lab01, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.lab, "lab01");
  EXPECT_EQ(summary.title, "Sinusoidal encoding");
  EXPECT_EQ(summary.figures, 9);
  EXPECT_EQ(summary.claims.size(), 17u);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_GE(summary.checks_passed, 9);
  EXPECT_EQ(run_->text.find("FAIL"), std::string::npos);
  // Neither colours nor redrawn lines in a pipe.
  EXPECT_EQ(run_->text.find_first_of("\x1b\r"), std::string::npos);
}

TEST_F(Lab01, AsksForThePredictionFirstAndEndsWithTheQuestion) {
  test::expect_in_order(run_->text,
                        {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN", "AUDIT"});
}

TEST_F(Lab01, DrawsEveryFigureWithCaptionAndAltText) {
  test::expect_figures(out(), {{"lab01-table", "D2-F1"},
                               {"lab01-worked", "D3-T1"},
                               {"lab01-heatmap", "D3-F1"},
                               {"lab01-waves", ""},
                               {"lab01-views", "D1-F2"},
                               {"lab01-wavelengths", "D0-T1"},
                               {"lab01-clocks", "D0-F5"},
                               {"lab01-overview", "D0-F1"},
                               {"lab01-decay", "D3-F2"}});
  EXPECT_TRUE(fs::exists(out() / "lab01-views.html"));
}

TEST_F(Lab01, DotProductsFallAsTheClaimsSay) {
  const std::vector<double> dots = values_of(out() / "lab01-decay.csv", "line");
  ASSERT_EQ(dots.size(), 64u);
  const double expected[] = {16, 15.31, 13.73, 12.27, 11.66, 11.78};
  // Two decimals are given, so half of the last one is the rounding.
  for (std::size_t p = 0; p < 6; ++p) EXPECT_NEAR(dots[p], expected[p], 0.005) << p;
  const auto least = std::min_element(dots.begin(), dots.end());
  EXPECT_EQ(least - dots.begin(), 48);
  EXPECT_NEAR(*least, 5.31, 0.005);
  int up = 0;
  for (std::size_t p = 1; p < dots.size(); ++p) up += dots[p] > dots[p - 1];
  EXPECT_EQ(up, 29);
  // The words of the figure are computed from the same numbers.
  const std::string alt = test::words_of(out(), "lab01-decay").alt;
  for (const char* part : {"16.00", "15.31", "p = 48", "5.31", "29 of 63"})
    EXPECT_NE(alt.find(part), std::string::npos) << part;
}

TEST_F(Lab01, ClocksRunAsFarAsTheDotProducts) {
  // Width 32 has sixteen pairs; six hands, the last at position 63.
  EXPECT_EQ(values_of(out() / "lab01-clocks.csv", "hand").size(), 16u * 6u);
  const std::string alt = test::words_of(out(), "lab01-clocks").alt;
  EXPECT_NE(alt.find("16 dials, each with hands for positions 0, 1, 3, 8, 22, 63."),
            std::string::npos)
      << alt;
}

TEST_F(Lab01, HeatmapHoldsTheFormula) {
  const std::vector<double> cells = values_of(out() / "lab01-heatmap.csv", "cell");
  ASSERT_EQ(cells.size(), 64u * 32u);
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const std::size_t p = n / 32, i = n % 32;
    const long double w = std::exp(-std::log(10000.0L) * static_cast<long double>(i - i % 2) / 32);
    const long double angle = static_cast<long double>(p) * w;
    const long double wanted = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
    // Rounding of the frequency times the largest angle, 63: under 64 * 2.2e-16 * 2.
    EXPECT_NEAR(cells[n], static_cast<double>(wanted), 3e-14) << p << " " << i;
  }
}

TEST_F(Lab01, SameBytesOnTheNextRun) {
  const TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 37u);  // nine figures and a page
}

TEST_F(Lab01, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab01::kCauses);
}

TEST_F(Lab01, EveryCommandOfTheGuideRuns) { test::expect_commands_run(kLab); }

TEST_F(Lab01, AuditsWhatTheLearnerWrote) {
  const test::Summary summary = test::summary_of(out());
  std::map<std::string, int> verdicts;
  for (const auto& claim : summary.claims) ++verdicts[claim.verdict];
  // As the guide says.
  EXPECT_EQ(verdicts["fails"], 4);
  EXPECT_EQ(verdicts["holds only if"], 2);
  EXPECT_EQ(verdicts["not measured yet"], 0);
}

TEST_F(Lab01, GalleryShowsItsFigures) {
  const Outcome gallery = run("lab_gallery", fmt::format("'{}'", folder_->path().string()));
  ASSERT_EQ(gallery.code, 0) << gallery.text;
  const std::string html = read_file(folder_->path() / "index.html");
  EXPECT_NE(html.find("lab01 · Sinusoidal encoding"), std::string::npos);
  EXPECT_NE(html.find("29 of 63 steps go up"), std::string::npos);
  EXPECT_NE(html.find("href=\"lab01/lab01-views.html\""), std::string::npos);
  for (const char* id : {"table", "heatmap", "waves", "clocks", "overview", "decay"})
    EXPECT_NE(html.find(std::string("src=\"lab01/lab01-") + id + ".svg\""), std::string::npos)
        << id;
}

TEST(Lab01Options, HelpHasAnExample) {
  const Outcome help = run("lab01_sinusoid", "--help");
  EXPECT_EQ(help.code, 0);
  for (const char* part :
       {"--quick", "--full", "--out", "--seed", "--text", "--width", "--base", "Example:"})
    EXPECT_NE(help.text.find(part), std::string::npos) << part;
}

TEST(Lab01Options, WrongUseIsOneClearLine) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "x");
  const std::string file = fmt::format("'{}'", (folder.path() / "file").string());
  for (const std::string& arguments :
       {std::string("--nonsense"), std::string("--seed minus"), std::string("--seed=-1"),
        std::string("--seed 99999999999999999999"), std::string("--text /nowhere/at/all"),
        std::string("--quick --full"), std::string("--width 3"), std::string("--width 1000"),
        std::string("--positions 0"), std::string("--base 0"), "--out " + file}) {
    const std::string quiet = arguments.starts_with("--out")
                                  ? arguments
                                  : arguments + " --out '" + folder.path().string() + "'";
    const Outcome wrong = run("lab01_sinusoid", quiet, "2>&1 >/dev/null");
    EXPECT_EQ(wrong.code, 2) << arguments;
    EXPECT_EQ(std::count(wrong.text.begin(), wrong.text.end(), '\n'), 1) << wrong.text;
    EXPECT_TRUE(wrong.text.starts_with("lab01_sinusoid: ")) << wrong.text;
  }
}

TEST(Lab01Options, ClocksFollowWidthAndPositions) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      test::run_command(Lab01::kLab, "labs/run 01 --width 6 --positions 4", folder.path()).code, 0);
  // Three pairs, hands at 0, 1, 2 and 3.
  EXPECT_EQ(values_of(folder.path() / "lab01-clocks.csv", "hand").size(), 12u);
}

/// The pictures and their words follow the base; checks, tables and claims do not.
TEST(Lab01Options, PicturesFollowTheBase) {
  const TemporaryFolder folder;
  const Outcome twenty = test::run_command(Lab01::kLab, "labs/run 01 --base 20", folder.path());
  const std::vector<double> cells = values_of(folder.path() / "lab01-heatmap.csv", "cell");
  EXPECT_NEAR(cells.at(63 * 32 + 30), std::sin(63 * std::pow(20, -30.0 / 32)), 1e-13);
  for (const std::string name : {"heatmap", "waves", "views", "clocks", "overview", "decay"})
    EXPECT_TRUE(any_of({read_file(folder.path() / ("lab01-" + name + ".json"))}, ", base 20"));
  // Waves grow by 20^(1/16) from pair to pair, from 2 pi to 2 pi 20^(15/16).
  const std::vector<std::string> words = {test::words_of(folder.path(), "lab01-waves").caption,
                                          test::words_of(folder.path(), "lab01-clocks").alt};
  EXPECT_TRUE(any_of(words, "each is 2.11 times")) << words[0];
  EXPECT_TRUE(any_of(words, "the last once in 104, so")) << words[1];
  EXPECT_EQ(test::summary_of(folder.path()).claims.size(), 17u);
}

TEST(Lab01Golden, ProbesAreTheFormula) {
  const auto check = [](const auto& golden, std::size_t width) {
    for (std::size_t n = 0; n < golden.size(); ++n) {
      const std::size_t i = n % width;
      const long double exponent =
          -static_cast<long double>(i - i % 2) / static_cast<long double>(width);
      const long double angle = static_cast<long double>(n / width) *
                                std::pow(static_cast<long double>(lab01::kGoldenBase), exponent);
      const long double wanted = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
      // The script rounds the frequency and the sine: a few units in the last place.
      EXPECT_NEAR(golden[n], static_cast<double>(wanted), 2e-15) << n;
    }
  };
  check(lab01::kGoldenWidth8, 8);
  check(lab01::kGoldenWidth12, 12);
}

// --- what the checks do with mistakes ------------------------------------------------------------

/// The encoding with another exponent, base, order of columns or frequency of the cosine.
struct Mistake {
  double exponent = 2;   ///< w_k = base^(-exponent k / width)
  double own_base = 0;   ///< instead of the given one
  bool halves = false;   ///< sines in the first half, cosines in the second
  bool swapped = false;  ///< cosines in the even columns
  bool next = false;     ///< cosines at the next frequency
  double factor = 1;
  bool accepts_odd = false;

  xt::xarray<double> operator()(std::size_t positions, std::size_t width, double base) const {
    if (width % 2 != 0 && !accepts_odd) throw std::invalid_argument("odd");
    xt::xarray<double> pe = xt::zeros<double>({positions, width});
    for (std::size_t k = 0; k < width / 2; ++k) {
      const auto angle = [&](std::size_t p, double n) {
        return static_cast<double>(p) *
               std::pow(own_base > 0 ? own_base : base, -exponent * n / static_cast<double>(width));
      };
      const std::size_t sine = halves ? k : 2 * k + (swapped ? 1 : 0);
      const std::size_t cosine = halves ? k + width / 2 : 2 * k + (swapped ? 0 : 1);
      for (std::size_t p = 0; p < positions; ++p) {
        pe(p, sine) = factor * std::sin(angle(p, static_cast<double>(k)));
        pe(p, cosine) = factor * std::cos(angle(p, static_cast<double>(k + (next ? 1 : 0))));
      }
    }
    return pe;
  }
};

std::vector<std::string> failed(const Encoder& encode) {
  return test::failed(lab01::prove(encode));
}

TEST(Lab01Checks, PassWhatIsRight) {
  EXPECT_EQ(lab01::unusable(Mistake{}), "");
  EXPECT_TRUE(failed(Mistake{}).empty());
  EXPECT_TRUE(failed(sinusoid).empty());
}

TEST(Lab01Checks, FailForTypicalMistakes) {
  for (const Mistake& wrong :
       {Mistake{.exponent = 1}, Mistake{.exponent = 4}, Mistake{.own_base = 10000},
        Mistake{.halves = true}, Mistake{.swapped = true}, Mistake{.next = true}}) {
    EXPECT_TRUE(any_of(failed(wrong), "width 8, base 50"));
    EXPECT_TRUE(any_of(failed(wrong), "width 12, base 50"));
  }
  EXPECT_TRUE(any_of(failed(Mistake{.next = true}), "norm"));
  EXPECT_TRUE(any_of(failed(Mistake{.factor = 1.01}), "above 1"));
  EXPECT_TRUE(any_of(failed(Mistake{.exponent = 1}), "4 x 8 table"));
  EXPECT_TRUE(any_of(failed(Mistake{.swapped = true}), "5 x 4 table"));
  EXPECT_EQ(failed(Mistake{.accepts_odd = true}).size(), 1u);
  // A base that was typed in passes every check but the two that ask for another.
  EXPECT_EQ(failed(Mistake{.own_base = 10000}).size(), 2u);
}

TEST(Lab01Checks, FailForOneValueThatIsNoNumber) {
  const Encoder broken = [](std::size_t positions, std::size_t width, double base) {
    xt::xarray<double> pe = Mistake{}(positions, width, base);
    pe(0, 0) = std::nan("");
    return pe;
  };
  // All but the refusal of an odd width.
  EXPECT_EQ(failed(broken).size(), lab01::prove(broken).size() - 1);
}

TEST(Lab01Checks, TheStubOfTheGuideFails) {
  const Encoder zeros = [](std::size_t T, std::size_t d, double) {
    return xt::xarray<double>(xt::zeros<double>({T, d}));
  };
  EXPECT_EQ(lab01::unusable(zeros), "");
  EXPECT_GE(failed(zeros).size(), 6u);
  EXPECT_EQ(lab01::unusable([](std::size_t, std::size_t, double) {
              return xt::xarray<double>(xt::zeros<double>({3, 8}));
            }),
            "sinusoidal_pe(4, 8, 10000) gives 3 x 8, wanted is 4 x 8");
}

}  // namespace
}  // namespace phasor
