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
  return std::max<std::size_t>(1, 300 / std::max(values.shape(0), values.shape(1)));
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

/// Ticks along one axis with `count` cells of k pixels: the labels, or round numbers where they
/// fall on the line first + step * cell. The axis itself counts pixels: a formula for every pixel
/// would take gnuplot longer than everything else.
std::string cell_ticks(const std::vector<std::string>& labels, double first, double step,
                       std::size_t count, std::size_t k) {
  std::string list;
  const auto add = [&](double cell, const std::string& label) {
    const double pixel = (cell + 0.5) * static_cast<double>(k) - 0.5;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", tick_label(label), pixel);
  };
  for (std::size_t i = 0; i < labels.size(); ++i) add(static_cast<double>(i), labels[i]);
  if (!labels.empty()) return list;
  const double last = first + step * (static_cast<double>(count) - 1);
  for (const double value :
       round_numbers({std::min(first, last), std::max(first, last)}, std::abs(step)))
    add((value - first) / step, fmt::format("{:g}", value));
  return list;
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
  const std::size_t rows = content.values.shape(0), columns = content.values.shape(1);
  const std::size_t k = pixels_per_cell(content.values);
  pen.axes(panel);
  pen.command("unset grid");
  palette(pen, content);
  pen.command("set xrange [-0.5:{}]", static_cast<double>(columns * k) - 0.5);
  pen.command("set yrange [{}:-0.5]", static_cast<double>(rows * k) - 0.5);
  pen.command("set xtics ({}) noenhanced", cell_ticks(content.column_labels, content.first_column,
                                                      content.column_step, columns, k));
  pen.command("set ytics ({}) noenhanced",
              cell_ticks(content.row_labels, content.first_row, content.row_step, rows, k));
  pen.command(
      "set object rectangle from graph 0,0 to graph 1,1 behind fs solid noborder "
      "fc rgb '#cccccc'");
  if (content.decimals >= 0) print_values(pen, content);
  pen.command("plot {} matrix with image", pen.block(pixel_rows(content.values)));
}

}  // namespace phasor
