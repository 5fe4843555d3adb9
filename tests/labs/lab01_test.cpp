// Lab 01 as a learner meets it: its program is run and its files are read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "labs/lab01_sinusoid/golden.hpp"
#include "phasor/core/file.hpp"
#include "tests/figure/sample.hpp"
#include "tests/run_program.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

using Outcome = test::ProgramOutcome;

/// Both streams, unless `redirect` says otherwise.
Outcome run(const std::string& program, const std::string& arguments,
            const std::string& redirect = "2>&1") {
  return test::run_program(program, arguments, redirect);
}

Outcome lab(const fs::path& out, const std::string& arguments = "") {
  return run("lab01_sinusoid", "--out '" + out.string() + "' " + arguments);
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

/// One run that all tests of its results look at.
class Lab01 : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    run_ = new Outcome(lab(folder_->path() / "lab01"));
  }
  static void TearDownTestSuite() {
    delete run_;
    delete folder_;
  }
  static fs::path out() { return folder_->path() / "lab01"; }
  static TemporaryFolder* folder_;
  static Outcome* run_;
};
TemporaryFolder* Lab01::folder_ = nullptr;
Outcome* Lab01::run_ = nullptr;

TEST_F(Lab01, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const auto summary = nlohmann::json::parse(read_file(out() / "summary.json"));
  EXPECT_EQ(summary["lab"], "lab01");
  EXPECT_EQ(summary["title"], "Sinusoidal encoding");
  EXPECT_EQ(summary["figures"], 6);
  EXPECT_EQ(summary["checks_failed"], 0);
  EXPECT_GE(summary["checks_passed"], 9);
  EXPECT_EQ(run_->text.find("FAIL"), std::string::npos);
  // Neither colours nor redrawn lines in a pipe.
  EXPECT_EQ(run_->text.find_first_of("\x1b\r"), std::string::npos);
}

TEST_F(Lab01, AsksForThePredictionFirstAndEndsWithTheQuestion) {
  std::size_t place = 0;
  for (const char* step : {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN"}) {
    place = run_->text.find(step, place);
    ASSERT_NE(place, std::string::npos) << step;
  }
}

TEST_F(Lab01, DrawsEveryFigureWithCaptionAndAltText) {
  for (const auto& [id, claims_id] :
       std::vector<std::pair<std::string, std::string>>{{"lab01-table", "D2-F1"},
                                                        {"lab01-heatmap", "D3-F1"},
                                                        {"lab01-decay", "D3-F2"},
                                                        {"lab01-overview", "D0-F1"},
                                                        {"lab01-clocks", "D0-F5"},
                                                        {"lab01-waves", ""}}) {
    const auto words = nlohmann::json::parse(read_file(out() / (id + ".json")));
    EXPECT_EQ(words["claims_id"], claims_id);
    EXPECT_TRUE(words["drawn"]) << id;
    EXPECT_GT(words["alt"].get<std::string>().size(), 60u) << id;
    for (const char* ending : {".csv", ".svg", ".png"})
      EXPECT_GT(fs::file_size(out() / (id + ending)), 1000u) << id << ending;
  }
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
  const std::string alt = nlohmann::json::parse(read_file(out() / "lab01-decay.json"))["alt"];
  for (const char* part : {"16.00", "15.31", "p = 48", "5.31", "29 of 63"})
    EXPECT_NE(alt.find(part), std::string::npos) << part;
}

TEST_F(Lab01, ClocksRunAsFarAsTheDotProducts) {
  // Width 32 has sixteen pairs; six hands, the last at position 63.
  EXPECT_EQ(values_of(out() / "lab01-clocks.csv", "hand").size(), 16u * 6u);
  const std::string alt = nlohmann::json::parse(read_file(out() / "lab01-clocks.json"))["alt"];
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
  ASSERT_EQ(lab(again.path()).code, 0);
  std::size_t compared = 0;
  for (const auto& entry : fs::directory_iterator(out())) {
    const fs::path name = entry.path().filename();
    if (name == "summary.json") continue;  // it holds the seconds
    EXPECT_EQ(read_file(entry.path()), read_file(again.path() / name)) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 24u);
}

TEST_F(Lab01, GalleryShowsItsFigures) {
  const Outcome gallery = run("lab_gallery", "'" + folder_->path().string() + "'");
  ASSERT_EQ(gallery.code, 0) << gallery.text;
  const std::string html = read_file(folder_->path() / "index.html");
  EXPECT_NE(html.find("lab01 · Sinusoidal encoding"), std::string::npos);
  EXPECT_NE(html.find("29 of 63 steps go up"), std::string::npos);
  for (const char* id : {"table", "heatmap", "waves", "clocks", "overview", "decay"})
    EXPECT_NE(html.find(std::string("src=\"lab01/lab01-") + id + ".svg\""), std::string::npos)
        << id;
}

TEST(Lab01Options, HelpHasAnExample) {
  const Outcome help = run("lab01_sinusoid", "--help");
  EXPECT_EQ(help.code, 0);
  for (const char* part : {"--quick", "--full", "--out", "--seed", "--text", "--width", "Example:"})
    EXPECT_NE(help.text.find(part), std::string::npos) << part;
}

TEST(Lab01Options, WrongUseIsOneClearLine) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "x");
  const std::string file = "'" + (folder.path() / "file").string() + "'";
  for (const std::string& arguments :
       {std::string("--nonsense"), std::string("--seed minus"), std::string("--seed=-1"),
        std::string("--seed 99999999999999999999"), std::string("--text /nowhere/at/all"),
        std::string("--quick --full"), std::string("--width 3"), std::string("--width 1000"),
        std::string("--positions 0"), "--out " + file}) {
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
  ASSERT_EQ(lab(folder.path(), "--width 6 --positions 4").code, 0);
  // Three pairs, hands at 0, 1, 2 and 3.
  EXPECT_EQ(values_of(folder.path() / "lab01-clocks.csv", "hand").size(), 12u);
}

TEST(Lab01Golden, ProbesAreTheFormula) {
  const auto check = [](const auto& golden, std::size_t width) {
    for (std::size_t n = 0; n < golden.size(); ++n) {
      const std::size_t i = n % width;
      const long double exponent =
          -static_cast<long double>(i - i % 2) / static_cast<long double>(width);
      const long double angle = static_cast<long double>(n / width) *
                                std::pow(static_cast<long double>(kGoldenBase), exponent);
      const long double wanted = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
      // The script rounds the frequency and the sine: a few units in the last place.
      EXPECT_NEAR(golden[n], static_cast<double>(wanted), 2e-15) << n;
    }
  };
  check(kGoldenWidth8, 8);
  check(kGoldenWidth12, 12);
}

}  // namespace
}  // namespace phasor
