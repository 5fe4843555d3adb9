#include "phasor/data/unicode.hpp"

#include <algorithm>

#include "phasor/core/error.hpp"
#include "phasor/core/utf8.hpp"

namespace phasor {
std::u32string decode_utf8(std::string_view bytes, std::string_view name) {
  std::u32string result;
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
