// Where the cells of a table go.
#pragma once
#include <string>
#include <vector>

#include "phasor/figure/figure.hpp"

namespace phasor {

/// A table in pixels. Row 0 is the header.
struct TableLayout {
  std::vector<double> widths;       ///< of the columns, with the space around their text
  std::vector<double> row_heights;  ///< with the space around the text
  /// The text of each cell, broken into lines: [row][column][line].
  std::vector<std::vector<std::vector<std::string>>> lines;
  double height() const;
};

inline constexpr double kCellSpace = 8;  ///< left and right of the text in a cell, pixels

/// Columns as wide as their text when there is room, and the rest shared among them; otherwise the
/// widest columns are narrowed to one width and their text is broken at blanks.
TableLayout table_layout(const TablePanel& table, double width);

}  // namespace phasor
