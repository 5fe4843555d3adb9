#include "phasor/data/tokenizer.hpp"

#include <gtest/gtest.h>

#include "phasor/core/error.hpp"
#include "phasor/data/unicode.hpp"
#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

TEST(CharTokenizer, SortsByCodePointAndInverts) {
  const std::string text = "El niño bebió 3 cafés — ¡ya!\n";
  const CharTokenizer tokenizer = CharTokenizer::from_text(text);
  EXPECT_EQ(tokenizer.symbols(), "\n !3Eabcefilnosy¡éñó—");
  EXPECT_EQ(tokenizer.vocabulary_size(), 21u);
  const Encoded tokens = tokenizer.encode("ñ\n—");
  EXPECT_EQ(tokens, (Encoded{18, 0, 20}));
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  EXPECT_TRUE(tokenizer.encode("").empty());
}

TEST(CharTokenizer, SymbolsRebuildTheSameVocabulary) {
  const CharTokenizer first = CharTokenizer::from_text("mañana 𝄞");
  const CharTokenizer second = CharTokenizer::from_symbols(first.symbols());
  EXPECT_EQ(second.encode("naña𝄞"), first.encode("naña𝄞"));
  EXPECT_EQ(second.symbols(), first.symbols());
}

TEST(CharTokenizer, NamesAnUnknownCharacterAndItsPlace) {
  const CharTokenizer tokenizer = CharTokenizer::from_text("abc é\n");
  expect_error([&] { tokenizer.encode("abc\néañ"); }, "'ñ' (U+00F1) at line 2, column 3");
  expect_error([&] { tokenizer.encode("z"); }, "'z' (U+007A) at line 1, column 1 is");
  expect_error([&] { tokenizer.encode("z\nab\n"); }, "'z' (U+007A) at line 1, column 1 is");
  expect_error([&] { tokenizer.encode("a\n\n\tb"); }, "U+0009 at line 3, column 1 is");
  expect_error([&] { tokenizer.encode("z"); }, "among the 6 characters");
}

TEST(CharTokenizer, RefusesBadTokensAndVocabularies) {
  const CharTokenizer tokenizer = CharTokenizer::from_text("ab");
  expect_error([&] { tokenizer.decode(Encoded{0, 2}); }, "token 2 is outside");
  expect_error([&] { tokenizer.decode(Encoded{-1}); }, "token -1 is outside");
  expect_error([] { CharTokenizer::from_text(""); }, "the text is empty");
  expect_error([] { CharTokenizer::from_symbols(""); }, "the vocabulary is empty");
  expect_error([] { CharTokenizer::from_symbols("aab"); }, "out of order at 'a'");
  expect_error([] { CharTokenizer::from_symbols("ba"); }, "out of order at 'b'");
}

TEST(Unicode, AcceptsTheEndsOfEveryLength) {
  const std::u32string ends = {0x01,   0x7F,   0x80,   0x7FF,   0x800,
                               0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
  std::string bytes;
  for (const char32_t end : ends) bytes += encode_utf8(end);
  EXPECT_EQ(bytes.size(), 1u + 1 + 2 + 2 + 3 + 3 + 3 + 3 + 4 + 4);
  EXPECT_EQ(decode_utf8(bytes, "ends"), ends);
}

TEST(Unicode, RefusesWhatIsNotText) {
  const std::string bad[] = {
      std::string("a\0b", 3),  // binary
      "a\xF1o",                // Latin-1
      "a\x80",                 // a stray continuation
      "a\xC3",                 // cut
      "a\xE2\x80",             // cut
      "a\xC0\x80",             // NUL in two bytes
      "a\xE0\x9F\xBF",         // longer than needed
      "a\xF0\x8F\xBF\xBF",     // longer than needed
      "a\xED\xA0\x80",         // surrogate
      "a\xF4\x90\x80\x80",     // over U+10FFFF
      "a\xFF\xFE",             // UTF-16's mark
  };
  for (const std::string& bytes : bad)
    expect_error([&] { decode_utf8("\n" + bytes, "file.bin"); }, "file.bin is not text: byte ");
  expect_error([&] { decode_utf8("ab\nc\xF1", "x"); }, "byte 0xf1 at line 2 (offset 4)");
}

}  // namespace
}  // namespace phasor
