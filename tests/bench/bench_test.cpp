// The programs that measure, at tiny sizes: the form of what they print, never a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/run_program.hpp"

namespace phasor::bench {
namespace {

using Words = std::vector<std::string>;

using Outcome = test::ProgramOutcome;

/// `line`: a program of build/bench and its arguments. Standard output, unless `redirect` says
/// otherwise.
Outcome run(const std::string& line, const std::string& redirect = "2>/dev/null") {
  const std::size_t end = std::min(line.find(' '), line.size());
  return test::run_program(fmt::format("bench/{}", line.substr(0, end)), line.substr(end),
                           redirect);
}

std::string output_of(const std::string& line) {
  const Outcome outcome = run(line);
  EXPECT_EQ(outcome.code, 0) << line;
  return outcome.text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The words of every line that begins with `word`.
std::vector<Words> rows(const std::string& text, const std::string& word) {
  std::vector<Words> found;
  for (const std::string& line : lines_of(text)) {
    std::istringstream stream(line);
    Words words;
    for (std::string next; stream >> next;) words.push_back(next);
    if (!words.empty() && words.front() == word) found.push_back(words);
  }
  return found;
}

/// All words from number `first` on are numbers above 0; brackets are ignored.
void expect_positive(const Words& row, std::size_t first) {
  for (std::size_t i = first; i < row.size(); ++i) {
    const std::string digits = row[i].substr(row[i].find_first_not_of('['));
    EXPECT_GT(std::atof(digits.c_str()), 0) << row[i] << " in the row of " << row.front();
  }
}

void expect_refused(const std::string& line, const std::string& reason) {
  const Outcome outcome = run(line, "2>&1 >/dev/null");
  EXPECT_EQ(outcome.code, 2) << line;
  const auto lines = lines_of(outcome.text);
  ASSERT_EQ(lines.size(), 1U) << line << "\n" << outcome.text;
  EXPECT_NE(lines[0].find(reason), std::string::npos) << lines[0];
  EXPECT_EQ(run(line, "2>/dev/null").text, "") << line;
}

const std::string kShort = " --threads 2 --rounds 2 --seconds 0";

TEST(BenchTrainStep, PrintsARowForEverySchemeAndSize) {
  const std::string text =
      output_of("train_step --size 8x2x1x8x2 --size 16x2x1x4x3 --schemes none,rope,alibi" + kShort);
  EXPECT_NE(text.find("6 B T (L 12 C^2 + V C + 2 L T C)"), std::string::npos) << text;
  for (const char* scheme : {"none", "rope", "alibi"}) {
    const auto found = rows(text, scheme);
    ASSERT_EQ(found.size(), 2U) << text;
    for (const Words& row : found) {
      ASSERT_EQ(row.size(), 9U) << text;
      expect_positive(row, 1);
    }
  }
  EXPECT_EQ(rows(text, "none")[0][7], "1.00");
}

TEST(BenchTrainStep, PrintsJson) {
  const auto json = nlohmann::json::parse(
      output_of("train_step --size 8x2x1x8x2 --schemes rope,none --json" + kShort));
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["scheme"], "rope");
  EXPECT_EQ(json[0]["size"], "8x2x1x8x2");
  EXPECT_EQ(json[0]["threads"], 2);
  for (const auto& row : json) {
    for (const char* key : {"ms_per_step", "tokens_per_second", "gflops", "peak_gflops",
                            "percent_of_peak", "ratio_to_none", "memory_mb"})
      EXPECT_GT(row.at(key).get<double>(), 0) << key;
    const double ms = row["ms_per_step"], tokens = row["tokens_per_second"];
    // 16 tokens; 6 * 16 * (12 * 8^2 + 65 * 8 + 2 * 8 * 8) operations.
    EXPECT_NEAR(tokens * ms / 1000, 16, 1e-9);
    EXPECT_NEAR(row["gflops"].get<double>() * ms * 1e6, 135936, 1e-6);
    EXPECT_LE(row["ms_quartiles"][0].get<double>(), ms);
    EXPECT_GE(row["ms_quartiles"][1].get<double>(), ms);
  }
}

TEST(BenchTrainStep, TellsWhichSchemeDoesNotSuitASize) {
  const std::string options = "train_step --size 15x3x1x4x2 --schemes rope,none --no-peak" + kShort;
  const auto found = rows(output_of(options), "rope");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0][1], "[rope]");
  const auto json = nlohmann::json::parse(output_of(options + " --json"));
  EXPECT_NE(json[0]["problem"].get<std::string>().find("must be even"), std::string::npos);
  EXPECT_FALSE(json[1].contains("problem"));
  EXPECT_FALSE(json[1].contains("peak_gflops"));
}

TEST(BenchTrainStep, RefusesBadInputInOneLine) {
  expect_refused("train_step --size 8x2x1x8", "WxHxLxTxB");
  expect_refused("train_step --size 8x2x1x8x0", "from 1");
  expect_refused("train_step --size 7x2x1x8x2", "not divisible");
  expect_refused("train_step --schemes none,nothing", "unknown scheme 'nothing'");
  expect_refused("train_step --rounds 0", "at least 1");
  expect_refused("train_step --unknown", "--unknown");
  expect_refused("train_step --threads 2000", "1024");
}

TEST(BenchContextLength, PrintsStepAndEvaluationForEveryContext) {
  const std::string text =
      output_of("context_length --schemes none,rope --contexts 16,32 --threads 2");
  for (const char* scheme : {"none", "rope"}) {
    const auto found = rows(text, scheme);
    ASSERT_EQ(found.size(), 2U) << text;
    for (const Words& row : found) ASSERT_EQ(row.size(), 8U) << text;
    EXPECT_EQ(found[0][1], "16");
    EXPECT_EQ(found[0][6], "-");
    EXPECT_EQ(found[1][1], "32");
    expect_positive(found[1], 2);
  }
}

TEST(BenchContextLength, LeavesOutWhatWouldNeedTooMuch) {
  const std::string text =
      output_of("context_length --schemes none --contexts 8,16 --threads 1 --enough-mb 1");
  EXPECT_NE(text.find("none at 16: the step is left out, for 8 already needed over 1 MB\n"),
            std::string::npos)
      << text;
}

TEST(BenchContextLength, RefusesBadInputInOneLine) {
  expect_refused("context_length --contexts 0", "at least 1");
  expect_refused("context_length --contexts 8,many", "whole number");
  expect_refused("context_length --schemes nothing", "unknown scheme");
}

TEST(BenchGeneration, PrintsTheTimeOfTokensAndTheirRate) {
  const std::string text = output_of(
      "generation --size 8x2x1 --schemes none,alibi,learned --tokens 120 --generations 2");
  for (const char* scheme : {"none", "alibi"}) {
    const auto found = rows(text, scheme);
    ASSERT_EQ(found.size(), 1U) << text;
    ASSERT_EQ(found[0].size(), 5U) << text;
    EXPECT_EQ(found[0][3], "-") << "there is no token 1000";
    expect_positive({found[0][0], found[0][1], found[0][2], found[0][4]}, 1);
  }
  ASSERT_EQ(rows(text, "learned").size(), 1U);
  EXPECT_EQ(rows(text, "learned")[0][1], "[learned]") << "its table ends at 64";
}

TEST(BenchGeneration, PrintsJson) {
  const auto json = nlohmann::json::parse(
      output_of("generation --size 8x2x1 --schemes none --tokens 1001 --generations 1 --json"));
  ASSERT_EQ(json.size(), 1U);
  for (const char* place : {"10", "100", "1000"})
    EXPECT_GT(json[0]["ms_at"].at(place).get<double>(), 0);
  EXPECT_GT(json[0]["tokens_per_second"].get<double>(), 0);
}

TEST(BenchGeneration, RefusesBadInputInOneLine) {
  expect_refused("generation --size 8x2x1x8x2", "WxHxL");
  expect_refused("generation --size 8x3x1", "not divisible");
  expect_refused("generation --tokens 0", "at least 1");
}

TEST(Bench, HelpHasAnExample) {
  for (const std::string program : {"train_step", "context_length", "generation"}) {
    const std::string text = output_of(program + " --help");
    EXPECT_NE(text.find("Example: "), std::string::npos) << program;
    EXPECT_NE(text.find("/bench/" + program + " --"), std::string::npos) << program;
  }
}

}  // namespace
}  // namespace phasor::bench
