// Lab 05 as a learner meets it, and what it says of typical mistakes (lab05_wrong.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "labs/lab05_autograd/golden.hpp"
#include "phasor/core/file.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using Outcome = test::ProgramOutcome;

const std::vector<std::string> kOps = {"mul",        "matmul",    "softmax",
                                       "layer norm", "embedding", "cross entropy"};

Outcome run(const std::string& program, const fs::path& out, const std::string& arguments = "") {
  return test::run_program(program, fmt::format("--out '{}' {}", out.string(), arguments), "2>&1");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The cells of the rows of a figure's table that are about one curve of one panel.
std::vector<std::vector<std::string>> rows_of(const fs::path& csv, const std::string& panel,
                                              const std::string& name) {
  std::istringstream lines(read_file(csv));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.size() > 5 && cells[0] == panel && cells[2] == name) rows.push_back(cells);
  }
  return rows;
}

class Lab05 : public test::LabTest<Lab05> {
 public:
  static constexpr const char* kLab = "lab05_autograd";
};

TEST_F(Lab05, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  const test::Summary summary = test::summary_of(out());
  EXPECT_EQ(summary.lab, "lab05");
  EXPECT_EQ(summary.figures, 3);
  EXPECT_EQ(summary.checks_failed, 0);
  EXPECT_GE(summary.checks_passed, 35);  // four for each op, two graphs, ones, slopes, losses
  EXPECT_FALSE(has(run_->text, "FAIL"));
  for (const std::string& op : kOps)
    for (const char* against : {"PyTorch", "central differences", "the library's, in float"})
      EXPECT_TRUE(has(run_->text, fmt::format("ok    {}: against {}", op, against))) << op;
}

TEST_F(Lab05, GoesThroughTheSixSteps) {
  test::expect_in_order(run_->text, {"PREDICT", "BUILD", "CHECK", "LOOK", "EXPERIMENT", "EXPLAIN"});
}

TEST_F(Lab05, DrawsEveryFigureWithCaptionAndAltText) {
  test::expect_figures(out(), {{"lab05-steps", ""}, {"lab05-graph", ""}, {"lab05-loss", ""}});
}

TEST_F(Lab05, StepsMakeAV) {
  for (const auto& [name, power] :
       std::vector<std::pair<std::string, double>>{{"central", 2}, {"one-sided", 1}}) {
    const auto rows = rows_of(out() / "lab05-steps.csv", "1", name);
    ASSERT_EQ(rows.size(), 52u);  // four a decade, from 1 to above 1e-13
    const auto error = [&](std::size_t i) { return std::stod(rows[i][5]); };
    // Two decades of the Taylor series, from h = 0.1 to 0.001; the next term is 0.01 of the first.
    EXPECT_NEAR(std::log10(error(4) / error(12)), 2 * power, 0.05) << name;
    // Five of rounding, from 1e-7 (or 1e-8) to five decades below: noise of some tens of percent.
    const std::size_t from = power > 1 ? 28 : 32;
    EXPECT_NEAR(std::log10(error(from + 16) / error(from)), 4, 0.8) << name;
  }
  for (const auto& row : rows_of(out() / "lab05-steps.csv", "1", "wrong backward"))
    EXPECT_GT(std::stod(row[5]), 0.1) << "at h = " << row[3];
}

TEST_F(Lab05, GraphShowsWhatComesBack) {
  const std::string csv = read_file(out() / "lab05-graph.csv");
  EXPECT_TRUE(has(csv, "1,node,x = 3,0,0,gradient 4,"));
  EXPECT_TRUE(has(csv, "1,node,w = -2,0,1,gradient 3,"));
  EXPECT_TRUE(has(csv, "1,arrow,,0,2,3,,\n1,arrow,,0,2,3,,\n"));  // x * x reads x twice
  EXPECT_TRUE(has(csv, "2,node,cross entropy,"));
}

TEST_F(Lab05, LossesEndAboveTheirFloors) {
  const auto floors = rows_of(out() / "lab05-loss.csv", "1", "counted 1 back: 1.492");
  ASSERT_EQ(floors.size(), 1u);
  const double floor = std::stod(floors[0][5]);
  for (const char* name : {"bigram", "overwriting bigram", "two layers"}) {
    const auto rows = rows_of(out() / "lab05-loss.csv", "1", name);
    ASSERT_EQ(rows.size(), 21u) << name;  // every 15 of 300 steps, and the first
    // Tables of zeros, and keys whose values are zeros, make all characters equally likely.
    EXPECT_NEAR(std::stod(rows.front()[5]), std::log(26), 1e-9) << name;
  }
  const auto bigram = rows_of(out() / "lab05-loss.csv", "1", "bigram");
  for (const auto& row : bigram) EXPECT_GE(std::stod(row[5]), floor - 1e-12);
  EXPECT_LT(std::stod(bigram.back()[5]), floor + 0.05);  // 0.01 was seen
}

TEST_F(Lab05, SameBytesOnTheNextRun) {
  const TemporaryFolder again;
  ASSERT_EQ(run_into(again.path()).code, 0);
  EXPECT_EQ(test::expect_same_files(out(), again.path()), 12u);
}

TEST_F(Lab05, GuideIsWhole) { test::expect_parts(kLab); }

/// Paths in a guide are seen from the root of the project.
TEST_F(Lab05, EveryCommandOfTheGuideRuns) {
  const test::Replacements replacements = {{"--text ", "--text " PHASOR_SOURCE_DIR "/"}};
  EXPECT_GE(test::expect_commands_run(kLab, replacements, true), 3u);
}

TEST_F(Lab05, NumbersOfTheGuideAreTheLabs) {
  test::expect_quoted(kLab, run_->text, {"2.878", "1.492", "0.679"});
}

/// A wrong solution, by its name in lab05_wrong.cpp, and the operation whose checks must fail.
struct Mistake {
  std::string name, op;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class Lab05Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Lab05Mistakes, AreCaught) {
  const auto& [name, op] = GetParam();
  const TemporaryFolder folder;
  ::setenv("PHASOR_MISTAKE", name.c_str(), 1);
  const Outcome outcome = run("lab05_wrong", folder.path());
  ::unsetenv("PHASOR_MISTAKE");
  EXPECT_EQ(outcome.code, 1) << outcome.text;
  for (const std::string& other : kOps)
    EXPECT_EQ(has(outcome.text, fmt::format("FAIL  {}: ", other)), other == op) << other;
  EXPECT_TRUE(has(outcome.text, "nothing more is drawn, trained or judged"));
  EXPECT_FALSE(has(outcome.text, "EXPERIMENT"));
}

INSTANTIATE_TEST_SUITE_P(
    All, Lab05Mistakes,
    ::testing::Values(Mistake{"nothing", "mul"}, Mistake{"throws", "mul"},
                      Mistake{"mul overwrites", "mul"}, Mistake{"mul swapped", "mul"},
                      Mistake{"matmul not transposed", "matmul"},
                      Mistake{"matmul wrong shape", "matmul"},
                      Mistake{"softmax without the sum", "softmax"},
                      Mistake{"layer norm forgets the mean", "layer norm"},
                      Mistake{"layer norm forgets the variance", "layer norm"},
                      Mistake{"layer norm ignores epsilon", "layer norm"},
                      Mistake{"embedding overwrites", "embedding"},
                      Mistake{"cross entropy does not divide", "cross entropy"},
                      Mistake{"cross entropy ignores dloss", "cross entropy"},
                      Mistake{"cross entropy overflows", "cross entropy"}),
    [](const auto& each) {
      std::string name = each.param.name;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

TEST(Lab05Solutions, OverwritingIsSeenInAGraphThatUsesATensorTwice) {
  const TemporaryFolder folder;
  ::setenv("PHASOR_MISTAKE", "mul overwrites", 1);
  const Outcome outcome = run("lab05_wrong", folder.path());
  ::unsetenv("PHASOR_MISTAKE");
  EXPECT_TRUE(has(outcome.text, "FAIL  y = x * x + x * w")) << outcome.text;
}

TEST(Lab05Solutions, AnotherRightSolutionPasses) {
  const TemporaryFolder folder;
  const Outcome outcome = run("lab05_wrong", folder.path());
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

TEST(Lab05Options, ATextThatHasNoTableIsOneClearLine) {
  const TemporaryFolder folder;
  write_file(folder.path() / "short", "ab");
  write_file(folder.path() / "same", "aaaaaa");
  std::string many;
  for (int i = 0; i < 300; ++i) many += fmt::format("{}", static_cast<char>('a' + i % 26));
  for (int i = 0; i < 300; ++i) {
    const int code = 0x4e00 + i;  // as UTF-8
    many += {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
             static_cast<char>(0x80 | (code & 0x3f))};
  }
  write_file(folder.path() / "many", many);
  for (const char* name : {"short", "same", "many"}) {
    const Outcome wrong = test::run_program(
        "lab05_autograd",
        fmt::format("--out '{0}/out' --text '{0}/{1}'", folder.path().string(), name),
        "2>&1 >/dev/null");
    EXPECT_EQ(wrong.code, 2) << name;
    EXPECT_EQ(std::count(wrong.text.begin(), wrong.text.end(), '\n'), 1) << wrong.text;
    EXPECT_TRUE(wrong.text.starts_with("lab05_autograd: [lab05] the text ")) << wrong.text;
  }
}

TEST(Lab05Golden, EmbeddingGradientsAreSumsOfRows) {
  const auto& golden = lab05::kGoldenGradients[4];
  ASSERT_EQ(golden.op, "embedding");
  std::vector<double> expected(15, 0.0);
  for (std::size_t n = 0; n < lab05::kGoldenRows.size(); ++n)
    for (std::size_t i = 0; i < 3; ++i)
      expected[lab05::kGoldenRows[n] * 3 + i] += golden.dy.values[n * 3 + i];
  for (std::size_t i = 0; i < 15; ++i)
    EXPECT_NEAR(golden.gradients[0].values[i], expected[i], 1e-15) << i;  // sums of three numbers
}

}  // namespace
}  // namespace phasor
