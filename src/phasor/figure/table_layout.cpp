#include "phasor/figure/table_layout.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "phasor/figure/layout.hpp"

namespace phasor {
namespace {

constexpr double kRowSpace = 10;  // above and below the text of a row together

std::vector<std::string> broken(const std::string& text, double width) {
  std::istringstream words(text);
  std::vector<std::string> lines = {""};
  for (std::string word; words >> word;) {
    std::string longer = lines.back() + (lines.back().empty() ? "" : " ") + word;
    if (!lines.back().empty() && text_width(longer) > width)
      lines.push_back(word);
    else
      lines.back() = std::move(longer);
  }
  return lines;
}

double longest_word(const std::string& text) {
  std::istringstream words(text);
  double width = 0;
  for (std::string word; words >> word;) width = std::max(width, text_width(word));
  return width;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// What column `j` would like, and the least it can have: all text on one line, its longest word.
struct Wish {
  double natural = 0, least = 0;
};

Wish wish_of(const TablePanel& table, std::size_t j) {
  Wish wish;
  const auto take = [&](const std::string& text) {
    wish.natural = std::max(wish.natural, text_width(text) + 2 * kCellSpace);
    wish.least = std::max(wish.least, longest_word(text) + 2 * kCellSpace);
  };
  take(table.columns[j].title);
  for (const auto& row : table.rows) take(row[j].text);
  return wish;
}

/// Widths that add up to `width`, if words allow it.
std::vector<double> widths_of(const TablePanel& table, double width) {
  std::vector<Wish> wishes;
  std::vector<double> widths;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    wishes.push_back(wish_of(table, j));
    widths.push_back(wishes.back().natural);
  }
  const auto count = static_cast<double>(widths.size());
  // The ceiling for all columns is lowered pixel by pixel until they fit.
  for (double most = width; sum(widths) > width && most > 0; --most)
    for (std::size_t j = 0; j < widths.size(); ++j)
      widths[j] = std::max(wishes[j].least, std::min(wishes[j].natural, most));
  const double rest = std::max(0.0, width - sum(widths)) / count;
  for (double& column : widths) column += rest;
  return widths;
}

}  // namespace

double TableLayout::height() const { return sum(row_heights); }

TableLayout table_layout(const TablePanel& table, double width) {
  TableLayout layout;
  layout.widths = widths_of(table, width);
  std::vector<std::vector<std::string>> texts(1);
  for (const TablePanel::Column& column : table.columns) texts[0].push_back(column.title);
  for (const auto& row : table.rows) {
    texts.emplace_back();
    for (const Cell& cell : row) texts.back().push_back(cell.text);
  }
  for (const auto& row : texts) {
    std::size_t most = 1;
    layout.lines.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) {
      layout.lines.back().push_back(broken(row[j], layout.widths[j] - 2 * kCellSpace));
      most = std::max(most, layout.lines.back().back().size());
    }
    layout.row_heights.push_back(static_cast<double>(most) * kLineHeight + kRowSpace);
  }
  return layout;
}

}  // namespace phasor
