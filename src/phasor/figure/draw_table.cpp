// Text in columns under a header.
#include "phasor/figure/pen.hpp"
#include "phasor/figure/table_layout.hpp"

namespace phasor {
namespace {

/// A line across the table, as points of a curve.
std::string rule(double y, double width) {
  return fmt::format("0 {0:.2f}\n{1:.2f} {0:.2f}\n\n", y, width);
}

void write_cell(Pen& pen, const std::vector<std::string>& lines, double left, double right,
                double top, bool at_right) {
  double y = top - kLineHeight / 2;
  for (const std::string& line : lines) {
    pen.text(line, at_right ? right - kCellSpace : left + kCellSpace, y,
             at_right ? "right" : "left");
    y -= kLineHeight;
  }
}

}  // namespace

void draw(Pen& pen, const Panel&, const TablePanel& content) {
  const Box& area = pen.area();
  const TableLayout layout = table_layout(content, area.width());
  pen.command("unset border; unset tics; unset colorbox");
  pen.command("set xrange [0:{}]", area.width());
  pen.command("set yrange [0:{}]", area.height());
  pen.command("set object rectangle from {} to {} behind fs solid noborder fc rgb '#ececec'",
              pen.at(area.left, area.top - layout.row_heights[0]), pen.at(area.right, area.top));
  std::string rules;
  double top = area.top;
  for (std::size_t i = 0; i < layout.lines.size(); ++i) {
    const auto& row = layout.lines[i];
    double left = area.left;
    for (std::size_t j = 0; j < row.size(); ++j) {
      // The lines of a cell stand in the middle of the row.
      const double text = static_cast<double>(row[j].size()) * kLineHeight;
      write_cell(pen, row[j], left, left + layout.widths[j],
                 top - (layout.row_heights[i] - text) / 2, content.columns[j].right);
      left += layout.widths[j];
    }
    top -= layout.row_heights[i];
    rules += rule(top - area.bottom, area.width());
  }
  pen.command("plot {} using 1:2 with lines lw 0.8 lc rgb '#bbbbbb'", pen.block(rules));
}

}  // namespace phasor
