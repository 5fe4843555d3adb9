#include "phasor/figure/markup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "phasor/core/utf8.hpp"

namespace phasor {

std::string drawable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    char32_t c = 0;
    const std::size_t length = read_code_point(text, c);
    if (length == 0 || (c >= 0x80 && c < 0xA0) || c == 0xFFFE || c == 0xFFFF)
      result += "\uFFFD";
    else if (c < 0x20 || c == 0x7F)  // the signs stand in the order of the characters
      result += fmt::format("\xE2\x90{}", static_cast<char>(0x80 + (c == 0x7F ? 0x21 : c)));
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string escape_markup(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string escape_address(std::string_view path) {
  std::string result;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view part = bytes.substr(i, 3);
    unsigned group = 0;  // 24 bits, missing bytes are 0
    for (std::size_t n = 0; n < 3; ++n)
      group = group << 8 | (n < part.size() ? static_cast<unsigned char>(part[n]) : 0u);
    for (std::size_t n = 0; n < 4; ++n)
      result += n <= part.size() ? kDigits[group >> (18 - 6 * n) & 63u] : '=';
  }
  return result;
}

}  // namespace phasor
