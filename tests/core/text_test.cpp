#include "phasor/core/text.hpp"

#include <gtest/gtest.h>

namespace phasor {
namespace {

TEST(Text, LettersAreNotBytes) {
  EXPECT_EQ(letters(""), 0u);
  EXPECT_EQ(letters("posición · ñ"), 12u);
}

TEST(Text, LinesAreBrokenAtBlanksAndNoLongerThanAsked) {
  EXPECT_EQ(text_lines("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(text_lines("one two", 6), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(text_lines("  one\n two ", 80), (std::vector<std::string>{"one two"}));
  EXPECT_EQ(text_lines("a considerable word", 5),
            (std::vector<std::string>{"a", "considerable", "word"}));
  EXPECT_EQ(text_lines("", 5), (std::vector<std::string>{""}));
  EXPECT_EQ(text_lines("ññ ñ", 4), (std::vector<std::string>{"ññ ñ"}));  // letters, not bytes
}

TEST(Text, WrappedLinesAreIndentedWithinTheColumns) {
  EXPECT_EQ(wrapped("one two three", 9, 2), "  one two\n  three");
  EXPECT_EQ(wrapped("one", 2, 4), "    one");
}

TEST(Text, NearestHasTheFewestChanges) {
  const std::vector<std::string> names = {"D0-F1", "D3-F1", "D4-F1"};
  EXPECT_EQ(nearest("D4-F2", {"D0-F2", "D4-F1"}), "D4-F1");  // begins alike
  EXPECT_EQ(nearest("d3f1", names), "D3-F1");
  EXPECT_EQ(nearest("D9-F1", names), "D0-F1");  // the first of several
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Text, WhatATerminalWouldObeyIsEscaped) {
  EXPECT_EQ(printable("plain, se\u00F1or \u20AC"), "plain, se\u00F1or \u20AC");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable(std::string("\x1b[31m\0\x7F", 7)), "\\x1b[31m\\x00\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\x9b31m")
      << "the same command in one character";
  EXPECT_EQ(printable("\xFF\xC3"), "\\xff\\xc3") << "no UTF-8";
  EXPECT_EQ(printable("\u2028\u202E"), "\\u2028\\u202e") << "ends a line, turns the direction";
}

TEST(Text, AMessageKeepsItsBeginningAndItsEnd) {
  const std::string whole(1000, 'x');
  EXPECT_EQ(one_line(whole), whole);
  EXPECT_EQ(letters(one_line(whole + "x")), 1000u);
  for (const std::size_t size : {5000u, 9000u, 1000000u}) {
    for (const std::string& piece : {std::string("x"), std::string("\n"), std::string("\u20AC")}) {
      std::string middle;
      while (middle.size() < size) middle += piece;
      const std::string line = one_line("no such file: " + middle + "; check the path");
      EXPECT_TRUE(line.starts_with("no such file: ")) << line;
      EXPECT_TRUE(line.ends_with("; check the path")) << line;
      EXPECT_NE(line.find("..."), line.npos);
      EXPECT_LE(letters(line), 1000u);
      EXPECT_EQ(line.find('\n'), line.npos);
    }
  }
}

}  // namespace
}  // namespace phasor
