// Lab 07 as a learner meets it, and wrong solutions that its checks must catch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "labs/lab07_decomposition/proof.hpp"
#include "phasor/core/file.hpp"
#include "tests/labs/guide.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;
using lab07::Array;

class Lab07 : public test::LabTest<Lab07> {
 public:
  static constexpr const char* kLab = "lab07_decomposition";

 protected:
  static test::Summary summary() { return test::summary_of(out()); }
};

TEST_F(Lab07, PassesItsOwnChecks) {
  EXPECT_EQ(run_->code, 0) << run_->text;
  EXPECT_EQ(summary().checks_failed, 0);
  EXPECT_GE(summary().checks_passed, 9);
}

TEST_F(Lab07, DrawsItsFigures) {
  test::expect_figures(out(), {{"lab07-terms", "D0-F4"},
                               {"lab07-shares", ""},
                               {"lab07-invariance", ""},
                               {"lab07-attention", ""}});
}

TEST_F(Lab07, MeasuresItsClaims) {
  std::map<std::string, std::string> verdicts;
  std::map<std::string, std::map<std::string, double>> numbers;
  for (const auto& claim : summary().claims) {
    verdicts[claim.id] = claim.verdict;
    numbers[claim.id] = claim.numbers;
  }
  EXPECT_EQ(verdicts["D0-four-terms"], "holds");
  EXPECT_EQ(verdicts["D4-invariance-in-attention"], "holds only if");
  EXPECT_EQ(verdicts["D0-limited-patterns"], "holds only if");
  EXPECT_EQ(verdicts["D1-same-at-500"], "holds only if");
  EXPECT_NEAR(numbers["D4-invariance-in-attention"]["encoding"], 1, 1e-9);
  EXPECT_LT(numbers["D4-invariance-in-attention"]["positions"], 0.7);
  EXPECT_EQ(numbers["D0-limited-patterns"]["rank"], 16);
  EXPECT_EQ(numbers["D0-limited-patterns"]["directions"], 17);  // of 64 positions and columns
  // The same text at positions that were never trained.
  EXPECT_GT(numbers["D1-same-at-500"]["at 500"], numbers["D1-same-at-500"]["at 0"] + 1);
}

/// One claim looks at a run of lab 06, which is damaged here; all others are measured, and the lab
/// ends as it should.
TEST(Lab07Audit, ADamagedRunOfAnotherLabIsNotMeasuredAndEndsNothing) {
  const test::TemporaryFolder folder;
  const fs::path run = folder.path() / "lab06/runs/toy-none-1";
  fs::create_directories(run);
  write_file(run / "config.json", "{");
  write_file(run / "model.safetensors", "");
  const test::ProgramOutcome outcome = test::run_program(
      Lab07::kLab, fmt::format("--out '{}'", (folder.path() / "lab07").string()), "2>&1");
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  std::size_t damaged = 0, measured = 0;
  for (const auto& claim : test::summary_of(folder.path() / "lab07").claims)
    ++(claim.verdict == "not measured yet" ? damaged : measured);
  EXPECT_EQ(damaged, 1u);
  EXPECT_GE(measured, 4u);
  EXPECT_NE(outcome.text.find("toy-none-1"), std::string::npos) << outcome.text;
}

TEST_F(Lab07, GuideIsWhole) {
  test::expect_parts(kLab);
  test::expect_causes(kLab, lab07::kCauses);
}

TEST_F(Lab07, CommandsOfTheGuideRun) {
  EXPECT_GE(test::expect_commands_run(kLab, {{"out/lab07", out().string()}}, false), 1u);
  EXPECT_TRUE(fs::exists(out() / "man-bites-dog.svg"));
}

// --- wrong solutions -----------------------------------------------------------------------------

FourTerms solved(const Array& x, const Array& p, const Array& wq, const Array& wk) {
  const ScoreTerms terms = decompose(x, p, wq, wk);
  return {terms.content_content, terms.content_position, terms.position_content,
          terms.position_position};
}

bool passes(const lab07::Written& written) {
  if (!lab07::unusable(written).empty()) return false;
  const std::vector<ListedCheck> checks = lab07::prove(written);
  return std::all_of(checks.begin(), checks.end(), [](const auto& c) { return c.passes(); });
}

TEST(Lab07Checks, PassARightSolution) { EXPECT_TRUE(passes(solved)); }

TEST(Lab07Checks, FailWrongOnes) {
  const std::vector<std::pair<std::string, lab07::Written>> wrong = {
      {"parts exchanged",
       [](const Array& x, const Array& p, const Array& wq, const Array& wk) {
         FourTerms terms = solved(x, p, wq, wk);
         std::swap(terms.content_position, terms.position_content);
         return terms;
       }},
      {"no sqrt(D)",
       [](const Array& x, const Array& p, const Array& wq, const Array& wk) {
         return solved(x, p, Array(wq * std::sqrt(static_cast<double>(wq.shape(1)))), wk);
       }},
      {"W_Q and W_K exchanged", [](const Array& x, const Array& p, const Array& wq,
                                   const Array& wk) { return solved(x, p, wk, wq); }},
      {"position in the content", [](const Array& x, const Array& p, const Array& wq,
                                     const Array& wk) { return solved(Array(x + p), p, wq, wk); }},
      {"a term left out", [](const Array& x, const Array& p, const Array& wq, const Array& wk) {
         FourTerms terms = solved(x, p, wq, wk);
         terms.position_position.fill(0);
         return terms;
       }}};
  for (const auto& [mistake, written] : wrong) EXPECT_FALSE(passes(written)) << mistake;
}

TEST(Lab07Checks, NoticeMapsOfAnotherSize) {
  const lab07::Written empty = [](const Array&, const Array&, const Array&, const Array&) {
    return FourTerms{};
  };
  EXPECT_NE(lab07::unusable(empty), "");
  EXPECT_TRUE(std::isinf(lab07::compare_terms(empty)[0].measured));
}

TEST(Lab07Options, WrongUseIsOneClearLine) { test::expect_wrong_use(Lab07::kLab, "--nonsense"); }

}  // namespace
}  // namespace phasor
