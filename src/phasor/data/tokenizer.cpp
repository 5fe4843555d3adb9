#include "phasor/data/tokenizer.hpp"

#include <algorithm>
#include <set>

#include "phasor/core/error.hpp"
#include "phasor/data/unicode.hpp"

namespace phasor {
namespace {

/// 'ñ' (U+00F1); a control character is named by its number alone.
std::string describe(char32_t symbol) {
  const bool control = symbol < 0x20 || (symbol >= 0x7F && symbol < 0xA0);
  const std::string number = fmt::format("U+{:04X}", static_cast<std::uint32_t>(symbol));
  return control ? number : fmt::format("'{}' ({})", encode_utf8(symbol), number);
}

[[noreturn]] void refuse(const std::u32string& text, std::size_t at, std::size_t vocabulary) {
  const auto here = text.begin() + static_cast<std::ptrdiff_t>(at);
  const auto line = 1 + std::count(text.begin(), here, U'\n');
  const std::size_t line_end = at == 0 ? text.npos : text.rfind(U'\n', at - 1);
  const std::size_t column = line_end == text.npos ? at + 1 : at - line_end;
  throw DataError(fmt::format(
      "character {} at line {}, column {} is not among the {} characters of the vocabulary; leave "
      "it out, or train on a text that has it",
      describe(text[at]), line, column, vocabulary));
}

}  // namespace

CharTokenizer CharTokenizer::from_text(std::string_view text) {
  check<DataError>(!text.empty(),
                   "the text is empty, a vocabulary needs at least 1 character; "
                   "choose another text");
  const std::u32string characters = decode_utf8(text, "the text");
  const std::set<char32_t> different(characters.begin(), characters.end());
  return CharTokenizer(std::u32string(different.begin(), different.end()));
}

CharTokenizer CharTokenizer::from_symbols(std::string_view symbols) {
  std::u32string characters = decode_utf8(symbols, "the vocabulary");
  const auto fault = std::adjacent_find(characters.begin(), characters.end(),
                                        [](char32_t a, char32_t b) { return a >= b; });
  check<DataError>(!characters.empty() && fault == characters.end(),
                   "the vocabulary is {}, wanted are different characters in ascending order; "
                   "restore the file it came from",
                   characters.empty() ? "empty" : "out of order at " + describe(*fault));
  return CharTokenizer(std::move(characters));
}

std::string CharTokenizer::symbols() const {
  std::string result;
  for (const char32_t symbol : symbols_) result += encode_utf8(symbol);
  return result;
}

Encoded CharTokenizer::encode(std::string_view text) const {
  const std::u32string characters = decode_utf8(text, "the text");
  Encoded tokens(characters.size());
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto found = std::lower_bound(symbols_.begin(), symbols_.end(), characters[i]);
    if (found == symbols_.end() || *found != characters[i])
      refuse(characters, i, vocabulary_size());
    tokens[i] = static_cast<std::int32_t>(found - symbols_.begin());
  }
  return tokens;
}

std::string CharTokenizer::decode(std::span<const std::int32_t> tokens) const {
  std::string text;
  for (const std::int32_t token : tokens) {
    const auto index = static_cast<std::size_t>(token);  // over any size for a negative one
    check<DataError>(index < vocabulary_size(),
                     "token {} is outside the vocabulary of {}; use the tokenizer stored with the "
                     "model",
                     token, vocabulary_size());
    text += encode_utf8(symbols_[index]);
  }
  return text;
}

}  // namespace phasor
