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

}  // namespace
}  // namespace phasor
