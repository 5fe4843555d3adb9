#include "labs/common/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "phasor/core/error.hpp"

namespace phasor {

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], letters(row[i]));
    }
  std::string result;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      result += "  " + std::string(widths[i] - letters(row[i]), ' ') + row[i];
    result += "\n";
  }
  if (!result.empty()) result.pop_back();
  return result;
}

std::string table(const xt::xarray<double>& values, const std::string& corner,
                  const std::vector<std::string>& columns, int decimals) {
  check(values.dimension() == 2 && values.shape(1) == columns.size(),
        "[table] needs a matrix and one name a column, got {} axes and {} names",
        values.dimension(), columns.size());
  std::vector<std::vector<std::string>> rows = {{corner}};
  rows[0].insert(rows[0].end(), columns.begin(), columns.end());
  for (std::size_t i = 0; i < values.shape(0); ++i) {
    rows.push_back({fmt::to_string(i)});
    for (std::size_t j = 0; j < columns.size(); ++j)
      rows.back().push_back(fmt::format("{:.{}f}", values(i, j), decimals));
  }
  return table(rows);
}

}  // namespace phasor
