#include "phasor/core/utf8.hpp"

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

}  // namespace

std::size_t read_code_point(std::string_view bytes, char32_t& code_point) {
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (bytes.empty()) return 0;
  const auto first = static_cast<unsigned char>(bytes[0]);
  const std::size_t length = sequence_length(first);
  if (length == 0 || length > bytes.size()) return 0;
  code_point = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(bytes[i]);
    if ((next & 0xC0u) != 0x80u) return 0;
    code_point = (code_point << 6) | (next & 0x3Fu);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  return code_point < smallest[length] || code_point > 0x10FFFF || surrogate ? 0 : length;
}

bool is_utf8(std::string_view bytes) {
  char32_t ignored = 0;
  while (!bytes.empty()) {
    const std::size_t length = read_code_point(bytes, ignored);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace phasor
