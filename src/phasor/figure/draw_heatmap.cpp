// A matrix as colours with its colour bar.
#include <algorithm>
#include <cmath>

#include "phasor/figure/palette.hpp"
#include "phasor/figure/pen.hpp"

namespace phasor {
namespace {

/// Cells are drawn as k x k equal pixels, so that a viewer that smooths an enlarged picture
/// (as SVG viewers outside browsers do) blurs the edges of a cell and not the cell.
std::size_t pixels_per_cell(const xt::xarray<double>& values) {
  return std::max<std::size_t>(1, 500 / std::max(values.shape(0), values.shape(1)));
}

std::string pixel_rows(const xt::xarray<double>& values) {
  const std::size_t k = pixels_per_cell(values);
  std::string rows;
  for (std::size_t i = 0; i < values.shape(0); ++i) {
    std::string row;
    for (std::size_t j = 0; j < values.shape(1); ++j) {
      // Six digits are far finer than the palette.
      const std::string cell =
          std::isfinite(values(i, j)) ? fmt::format("{:.6g} ", values(i, j)) : std::string("NaN ");
      for (std::size_t n = 0; n < k; ++n) row += cell;
    }
    row.back() = '\n';
    for (std::size_t n = 0; n < k; ++n) rows += row;
  }
  return rows;
}

void palette(Pen& pen, const HeatmapPanel& content) {
  std::string list;
  int place = 0;
  for (const std::string& colour : stops(content.palette))
    list += fmt::format("{}{} '{}'", place ? ", " : "", place, colour), ++place;
  const Range range = value_range(content);
  const Box& area = pen.area();
  pen.command("set palette defined ({})", list);
  pen.command("set cbrange [{}:{}]", range.low, range.high);
  const Box bar = {area.right + 12, area.right + 26, area.bottom, area.top};
  const std::string origin = pen.at(bar.left, bar.bottom);
  const std::string size = pen.at(bar.width(), bar.height());
  pen.command("set colorbox vertical user origin {} size {} noborder", origin, size);
  pen.command("set format cb '%g'");
  pen.command("set cbtics out nomirror scale 0.6 tc rgb '{}'", kInk);
  pen.upright(content.value_title, bar.right + 56);
}

/// Names the cells along one axis; `axis` is x or y.
void cell_labels(Pen& pen, const std::vector<std::string>& labels, char axis) {
  if (labels.empty()) return;
  std::string list;
  for (std::size_t i = 0; i < labels.size(); ++i)
    list += fmt::format("{}{} {}", i ? ", " : "", literal(labels[i]), i);
  pen.command("set {}tics ({}) noenhanced", axis, list);
}

void print_values(Pen& pen, const HeatmapPanel& content) {
  const Box& area = pen.area();
  const Range range = value_range(content);
  const auto rows = static_cast<double>(content.values.shape(0));
  const auto columns = static_cast<double>(content.values.shape(1));
  for (std::size_t i = 0; i < content.values.shape(0); ++i)
    for (std::size_t j = 0; j < content.values.shape(1); ++j) {
      const double value = content.values(i, j);
      if (!std::isfinite(value)) continue;
      const double share = share_of(value, range, {});
      pen.text(fmt::format("{:.{}f}", value, content.decimals),
               area.left + (static_cast<double>(j) + 0.5) / columns * area.width(),
               area.top - (static_cast<double>(i) + 0.5) / rows * area.height(), "center",
               ink_on(colour_at(content.palette, share)));
    }
}

}  // namespace

void draw(Pen& pen, const Panel& panel, const HeatmapPanel& content) {
  const bool rows_named = !content.row_labels.empty();
  const bool columns_named = !content.column_labels.empty();
  const double row0 = rows_named ? 0 : content.first_row;
  const double column0 = columns_named ? 0 : content.first_column;
  const double dy = rows_named ? 1 : content.row_step, dx = columns_named ? 1 : content.column_step;
  const auto rows = static_cast<double>(content.values.shape(0));
  const auto columns = static_cast<double>(content.values.shape(1));
  const auto k = static_cast<double>(pixels_per_cell(content.values));
  pen.axes(panel);
  pen.command("unset grid");
  palette(pen, content);
  pen.command("set xrange [{}:{}]", column0 - dx / 2, column0 + dx * (columns - 0.5));
  pen.command("set yrange [{}:{}]", row0 + dy * (rows - 0.5), row0 - dy / 2);
  pen.command(
      "set object rectangle from graph 0,0 to graph 1,1 behind fs solid noborder "
      "fc rgb '#cccccc'");
  cell_labels(pen, content.row_labels, 'y');
  cell_labels(pen, content.column_labels, 'x');
  if (content.decimals >= 0) print_values(pen, content);
  const std::string block = pen.block(pixel_rows(content.values));
  pen.command(
      "plot {} matrix using ({} + (($1 + 0.5) / {} - 0.5) * {}):({} + (($2 + 0.5) / {} - "
      "0.5) * {}):3 with image",
      block, column0, k, dx, row0, k, dy);
}

}  // namespace phasor
