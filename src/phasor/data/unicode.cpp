#include "phasor/data/unicode.hpp"

#include <algorithm>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

/// The length that a first byte announces, 0 for a byte that cannot be first.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC0 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

/// Bytes read at the front of `bytes`, 0 when they are not UTF-8.
std::size_t read_code_point(std::string_view bytes, char32_t& result) {
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(bytes[0]);
  const std::size_t length = sequence_length(first);
  if (length == 0 || length > bytes.size()) return 0;
  result = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(bytes[i]);
    if ((next & 0xC0u) != 0x80u) return 0;
    result = (result << 6) | (next & 0x3Fu);
  }
  const bool surrogate = result >= 0xD800 && result <= 0xDFFF;
  return result < smallest[length] || result > 0x10FFFF || surrogate ? 0 : length;
}

}  // namespace

std::u32string decode_utf8(std::string_view bytes, std::string_view name) {
  std::u32string result;
  result.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    char32_t code_point = 0;
    const std::size_t length = read_code_point(bytes.substr(at), code_point);
    if (length == 0 || code_point == 0) {
      const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<long>(at), '\n');
      throw DataError(fmt::format(
          "{} is not text: byte {:#04x} at line {} (offset {}) is not UTF-8 text; name a text "
          "file, and convert other encodings first, for example: iconv -f latin1 -t utf-8",
          name, static_cast<unsigned char>(bytes[at]), line, at));
    }
    result.push_back(code_point);
    at += length;
  }
  return result;
}

std::string encode_utf8(char32_t code_point) {
  const auto tail = [&](int shift) {
    return static_cast<char>(0x80u | ((code_point >> shift) & 0x3Fu));
  };
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  if (code_point < 0x800) return {static_cast<char>(0xC0u | (code_point >> 6)), tail(0)};
  if (code_point < 0x10000)
    return {static_cast<char>(0xE0u | (code_point >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0u | (code_point >> 18)), tail(12), tail(6), tail(0)};
}

}  // namespace phasor
