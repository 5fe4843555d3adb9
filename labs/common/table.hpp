// Words and numbers in columns.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/core/text.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// Rows of cells as lines, every column as wide as its widest cell and aligned at the right, two
/// spaces between columns and at the left. The first row is the header. Rows may be shorter.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// A matrix as such a table: a row for every row, its number first.   values: [rows, columns]
/// `columns` has one name a column, `corner` stands above the row numbers.
std::string table(const xt::xarray<double>& values, const std::string& corner,
                  const std::vector<std::string>& columns, int decimals);

}  // namespace phasor
