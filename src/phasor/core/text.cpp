#include "phasor/core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>
#include <sstream>

#include "phasor/core/utf8.hpp"

namespace phasor {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t common_start(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  while (i < std::min(a.size(), b.size()) && lower(a[i]) == lower(b[i])) ++i;
  return i;
}

/// Levenshtein's distance.
std::size_t distance_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t kMostLetters = 1000, kLastLetters = 400;  // of a message

/// What a terminal obeys instead of showing it.
bool is_control(char32_t c) {
  const bool c0_or_c1 = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool ends_the_line = c == 0x2028 || c == 0x2029;
  const bool turns_the_direction =
      c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return c0_or_c1 || ends_the_line || turns_the_direction;
}

std::string escaped(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  const auto number = static_cast<unsigned>(c);
  return c < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

/// The characters of `text`, each as it is shown.
std::vector<std::string> shown_characters(std::string_view text) {
  std::vector<std::string> shown;
  while (!text.empty()) {
    char32_t c = static_cast<unsigned char>(text[0]);
    const std::size_t length = read_code_point(text, c);
    if (length == 0)
      shown.push_back(escaped(static_cast<unsigned char>(text[0])));
    else
      shown.push_back(is_control(c) ? escaped(c) : std::string(text.substr(0, length)));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

/// Where the characters from `begin` on come to more than `most` letters.
template <class Iterator>
Iterator reach(Iterator begin, Iterator end, std::size_t most) {
  std::size_t used = 0;
  while (begin != end && (used += letters(*begin)) <= most) ++begin;
  return begin;
}

std::string joined(auto begin, auto end) { return std::accumulate(begin, end, std::string()); }

}  // namespace

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::vector<std::string> text_lines(std::string_view text, std::size_t columns) {
  std::istringstream words{std::string(text)};
  std::vector<std::string> lines = {""};
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (letters(line) + 1 + letters(word) <= columns)
      line += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  for (const std::string& line : text_lines(text, columns > indent ? columns - indent : 1)) {
    if (!result.empty()) result += '\n';
    result.append(indent, ' ').append(line);
  }
  return result;
}

std::string printable(std::string_view text) {
  const std::vector<std::string> shown = shown_characters(text);
  return joined(shown.begin(), shown.end());
}

std::string one_line(std::string_view message) {
  // A character has at most four bytes: what lies between these ends is never shown.
  constexpr std::size_t kEnd = 4 * kMostLetters;
  const bool is_long = message.size() > 2 * kEnd;
  const auto head = shown_characters(message.substr(0, is_long ? kEnd : message.npos));
  if (!is_long && reach(head.begin(), head.end(), kMostLetters) == head.end())
    return joined(head.begin(), head.end());
  const auto tail = is_long ? shown_characters(message.substr(message.size() - kEnd)) : head;
  const auto stop = reach(head.begin(), head.end(), kMostLetters - kLastLetters - 3);
  const auto start = reach(tail.rbegin(), tail.rend(), kLastLetters).base();
  return joined(head.begin(), stop) + "..." + joined(start, tail.end());
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t least = std::numeric_limits<std::size_t>::max(), longest = 0;
  for (const std::string& name : names) {
    const std::size_t distance = distance_between(word, name), start = common_start(word, name);
    if (distance > least || (distance == least && start <= longest)) continue;
    least = distance;
    longest = start;
    best = name;
  }
  return best;
}

}  // namespace phasor
