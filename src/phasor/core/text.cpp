#include "phasor/core/text.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>
#include <sstream>

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
  for (const std::string& line : text_lines(text, columns > indent ? columns - indent : 1))
    result += (result.empty() ? "" : "\n") + std::string(indent, ' ') + line;
  return result;
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
