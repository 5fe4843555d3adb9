// Budgets of length, and a few rules of language that a compiler does not know.
#include <gtest/gtest.h>

#include <regex>

#include "tests/layout/functions.hpp"
#include "tests/layout/source_files.hpp"

namespace layout {
namespace {

constexpr std::size_t kFileLines = 300;
constexpr std::size_t kSchemeLines = 200;  // with its mathematics
constexpr std::size_t kFunctionLines = 50;

using Offences = std::vector<std::string>;

Offences too_long(const SourceFile& file) {
  const bool scheme = file.path.starts_with("src/phasor/position/");
  const std::size_t budget = scheme ? kSchemeLines : kFileLines;
  const std::size_t lines = lines_of(file.text).size();
  if (lines <= budget) return {};
  return {offence(file.path, lines,
                  "a file of " + std::to_string(lines) + " lines, at most " +
                      std::to_string(budget) + " are wanted")};
}

Offences long_functions(const SourceFile& file) {
  Offences found;
  for (const Function& function : functions_in(file.text))
    if (function.lines > kFunctionLines)
      found.push_back(offence(file.path, function.first_line,
                              "a function of " + std::to_string(function.lines) +
                                  " lines, at most " + std::to_string(kFunctionLines) +
                                  " are wanted"));
  return found;
}

/// One offence for each line in which `pattern` is found.
Offences lines_with(const SourceFile& file, const std::regex& pattern, const std::string& what) {
  Offences found;
  std::size_t number = 0;
  for (const std::string& line : lines_of(file.text)) {
    ++number;
    if (std::regex_search(line, pattern)) found.push_back(offence(file.path, number, what));
  }
  return found;
}

Offences unfinished(const SourceFile& file) {
  // In pieces, so that this file is not found.
  static const std::regex marks(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X)\\b");
  return lines_with(file, marks, "a mark of unfinished work");
}

Offences trailing_space(const SourceFile& file) {
  static const std::regex space("[ \t\r]$");
  return lines_with(file, space, "white space at the end of the line");
}

/// An xtensor expression keeps references to its parts: bound to `auto` it outlives them. The
/// containers xarray and xtensor own what they hold.
Offences dangling(const SourceFile& file) {
  static const std::regex binding(
      R"(\bauto\s*(const\s*)?[&*]*\s*\w+\s*[=({]\s*xt::(?!xarray|xtensor))");
  const std::string code = code_only(file.text);
  Offences found;
  for (std::sregex_iterator match(code.begin(), code.end(), binding), end; match != end; ++match)
    found.push_back(offence(file.path, line_at(code, static_cast<std::size_t>(match->position())),
                            "auto for an xtensor expression; name its type"));
  return found;
}

template <class Rule>
void expect_none(const std::vector<SourceFile>& files, Rule rule) {
  ASSERT_FALSE(files.empty()) << "the sources were not found";
  for (const SourceFile& file : files) {
    const Offences found = rule(file);
    EXPECT_TRUE(found.empty()) << joined(found);
  }
}

std::vector<SourceFile> program_text() {
  return files_in({"src", "labs", "tests"}, [](const auto& path) {
    return is_written_by_hand(path) && path.extension() != ".md";
  });
}

std::vector<SourceFile> all_text() {
  return files_in({"src", "labs", "tests"}, is_written_by_hand);
}

std::vector<SourceFile> all_code() { return files_in({"src", "labs", "tests"}, is_code); }

TEST(Budget, FilesAreShort) { expect_none(program_text(), too_long); }

TEST(Budget, FunctionsAreShort) { expect_none(all_code(), long_functions); }

TEST(Language, NothingIsMarkedUnfinished) { expect_none(all_text(), unfinished); }

TEST(Language, NoLineEndsInWhiteSpace) { expect_none(all_text(), trailing_space); }

TEST(Language, NoAutoForAnXtensorExpression) { expect_none(all_code(), dangling); }

std::string lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "x\n";
  return text;
}

TEST(Budget, ALongFileIsFound) {
  EXPECT_EQ(too_long({"src/phasor/ops/a.cpp", lines(300)}).size(), 0u);
  EXPECT_EQ(too_long({"src/phasor/ops/a.cpp", lines(301)}).size(), 1u);
  EXPECT_EQ(too_long({"src/phasor/position/a.cpp", lines(200)}).size(), 0u);
  EXPECT_EQ(too_long({"src/phasor/position/a.cpp", lines(201)}).size(), 1u);
}

TEST(Budget, ALongFunctionIsFound) {
  EXPECT_EQ(long_functions({"a.cpp", "void f() {\n" + lines(48) + "}\n"}).size(), 0u);
  EXPECT_EQ(long_functions({"a.cpp", "void f() {\n" + lines(49) + "}\n"}).size(), 1u);
}

TEST(Language, WhatBreaksARuleIsFound) {
  EXPECT_EQ(unfinished({"a.cpp",
                        "// TO"
                        "DO later\nmktemp XXXXXX\n"})
                .size(),
            1u);
  EXPECT_EQ(trailing_space({"a.cpp", "a\nb \nc\t\n\n"}).size(), 2u);
  EXPECT_EQ(dangling({"a.cpp", "const auto x = xt::sum(a);\nauto&& y{xt::exp(a)};\n"}).size(), 2u);
  EXPECT_EQ(dangling({"a.cpp", "auto x =\n    xt::sum(a);\n"}).size(), 1u);
  EXPECT_EQ(dangling({"a.cpp", "// auto x = xt::sum(a);\nTensor x = xt::sum(a);\n"}).size(), 0u);
  EXPECT_EQ(dangling({"a.cpp", "auto x = xt::xarray<double>::from_shape({2});\n"}).size(), 0u);
}

}  // namespace
}  // namespace layout
