// Text to token numbers and back, one token a character.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phasor {

/// Token numbers of a text, in order.
using Encoded = std::vector<std::int32_t>;

/// One token for each different Unicode character (code point) of a text; token i is the i-th
/// smallest code point. So `decode(encode(text)) == text`, and a model's whole vocabulary is the
/// one string `symbols()`, which is stored with it.
class CharTokenizer {
 public:
  /// The characters of `text`. Throws DataError when it is empty or not UTF-8 text.
  static CharTokenizer from_text(std::string_view text);
  /// The vocabulary that `symbols()` gave. Throws DataError unless it ascends without repeats.
  static CharTokenizer from_symbols(std::string_view symbols);

  std::size_t vocabulary_size() const { return symbols_.size(); }
  /// All characters in token order, as UTF-8.
  std::string symbols() const;

  /// Throws DataError for a character outside the vocabulary: which, and at what line and column.
  Encoded encode(std::string_view text) const;
  /// Throws DataError for a number outside [0, vocabulary_size()).
  std::string decode(std::span<const std::int32_t> tokens) const;

 private:
  explicit CharTokenizer(std::u32string symbols) : symbols_(std::move(symbols)) {}

  std::u32string symbols_;  // ascending
};

}  // namespace phasor
