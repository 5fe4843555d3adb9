#include "phasor/figure/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "phasor/figure/table_layout.hpp"

namespace phasor {
namespace {

constexpr double kFigureTitle = 40;  // pixels above all panels
constexpr double kMargin = 12;

double panel_width(const Figure& figure) {
  if (figure.panel_width > 0) return figure.panel_width;
  return figure.columns == 1 ? 820 : figure.columns == 2 ? 560 : 420;
}

constexpr double kPanelTitle = 30, kNoPanelTitle = 10;

double title_height(const Panel& panel) {
  return panel.title.empty() ? kNoPanelTitle : kPanelTitle;
}

std::size_t rows_of(const Figure& figure) {
  return (figure.panels.size() + figure.columns - 1) / figure.columns;
}

/// A table is as high as its rows; other panels have a height that suits their width.
double height_of(const Panel& panel, const Figure& figure) {
  if (const auto* table = std::get_if<TablePanel>(&panel.content))
    return table_layout(*table, panel_width(figure) - 2 * kMargin).height() + title_height(panel) +
           kMargin;
  return figure.columns == 1 ? 430 : figure.columns == 2 ? 390 : 340;
}

double row_height(const Figure& figure, std::size_t row) {
  if (figure.panel_height > 0) return figure.panel_height;
  const std::size_t begin = row * figure.columns;
  const std::size_t end = std::min(begin + figure.columns, figure.panels.size());
  double height = 0;
  for (std::size_t i = begin; i < end; ++i)
    height = std::max(height, height_of(figure.panels[i], figure));
  return height;
}

/// Boxes and tables fill their cell; curves, heatmaps and bars leave room for axes.
bool fills_its_cell(const Panel& panel) {
  return std::holds_alternative<TablePanel>(panel.content) ||
         std::holds_alternative<GraphPanel>(panel.content);
}

double widest(const std::vector<std::string>& labels) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, text_width(label));
  return width;
}

/// Room for what stands at the right of a panel: labels with their strokes, or the colour bar.
double right_of(const Panel& panel) {
  if (fills_its_cell(panel)) return 0;
  std::vector<std::string> labels;
  if (const auto* lines = std::get_if<LinePanel>(&panel.content)) {
    if (lines->series.size() == 1 && lines->series[0].label.empty() && lines->references.empty())
      return 20;
    for (const Series& s : lines->series) labels.push_back(s.label);
    for (const Reference& r : lines->references) labels.push_back(r.label);
    return widest(labels) + 46;
  }
  if (const auto* heatmap = std::get_if<HeatmapPanel>(&panel.content))
    return heatmap->value_title.empty() ? 62 : 84;
  if (const auto* bars = std::get_if<BarPanel>(&panel.content)) {
    if (bars->groups.size() == 1) return 20;
    for (const BarGroup& group : bars->groups) labels.push_back(group.label);
    return widest(labels) + 46;
  }
  const auto& dials = std::get<DialPanel>(panel.content);
  return std::max(widest(dials.hands) + 46, text_width(dials.hands_title) + 12);
}

double left_of(const Panel& panel) {
  if (fills_its_cell(panel)) return 0;
  const double title = panel.y.title.empty() ? 0 : 22;
  if (const auto* heatmap = std::get_if<HeatmapPanel>(&panel.content);
      heatmap && !heatmap->row_labels.empty())
    return title + widest(heatmap->row_labels) + 16;
  if (std::holds_alternative<DialPanel>(panel.content)) return kMargin;
  std::vector<std::string> labels = {"-0.25"};
  for (const auto& tick : panel.y.ticks) labels.push_back(tick.second);
  return title + widest(labels) + 16;
}

/// Grows from nothing to the finite values it is shown.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value, bool positive_only) {
    if (!std::isfinite(value) || (positive_only && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Range padded(Extent extent, const Axis& axis, double share) {
  if (extent.low > extent.high) extent = {1, 10};
  Range range;
  if (axis.log_base > 0) {
    const double factor =
        std::max(std::pow(extent.high / extent.low, share), share > 0 ? 1.2 : 1.0);
    range = {extent.low / factor, extent.high * factor};
  } else {
    // A flat curve still needs an axis with two ends.
    const double size = std::max(extent.high - extent.low, 1e-9 * std::abs(extent.high));
    const double margin = size > 0 ? share * size : 0.5;
    range = {extent.low - margin, extent.high + margin};
  }
  if (range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
  return {axis.low.value_or(range.low), axis.high.value_or(range.high)};
}

}  // namespace

double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;  // the rest of a UTF-8 letter
    const bool narrow = std::string_view("iljtfrI.,:;|'()[] ").find(c) != std::string_view::npos;
    const bool wide = std::string_view("mwMW%@").find(c) != std::string_view::npos;
    width += narrow ? 0.42 : wide ? 0.98 : 0.66;
  }
  return width * kTextSize;
}

Box canvas(const Figure& figure) {
  double height = kFigureTitle;
  for (std::size_t row = 0; row < rows_of(figure); ++row) height += row_height(figure, row);
  const std::size_t columns = std::min(figure.columns, figure.panels.size());
  return {0, static_cast<double>(columns) * panel_width(figure), 0, height};
}

Box cell(const Figure& figure, std::size_t index) {
  const double left = static_cast<double>(index % figure.columns) * panel_width(figure);
  const std::size_t row = index / figure.columns;
  double top = canvas(figure).top - kFigureTitle;
  for (std::size_t above = 0; above < row; ++above) top -= row_height(figure, above);
  return {left, left + panel_width(figure), top - row_height(figure, row), top};
}

Box plot_area(const Panel& panel, const Box& cell) {
  const bool no_axes = fills_its_cell(panel) || std::holds_alternative<DialPanel>(panel.content);
  const bool bars = std::holds_alternative<BarPanel>(panel.content);
  const double below = no_axes ? kMargin : panel.x.title.empty() && !bars ? 34 : 60;
  Box area = {cell.left + kMargin + left_of(panel), cell.right - kMargin - right_of(panel),
              cell.bottom + below, cell.top - title_height(panel)};
  if (const auto* heatmap = std::get_if<HeatmapPanel>(&panel.content); heatmap && heatmap->square) {
    const double side = std::min(area.width(), area.height());
    area.right = area.left + side;
    area.bottom = area.top - side;
  }
  return area;
}

Range x_range(const LinePanel& content, const Axis& axis) {
  Extent extent;
  for (const Series& s : content.series)
    for (std::size_t i = 0; i < s.y.size(); ++i)
      extent.take(s.x.empty() ? static_cast<double>(i) : s.x[i], axis.log_base > 0);
  return padded(extent, axis, 0);
}

Range y_range(const LinePanel& content, const Axis& axis) {
  Extent extent;
  for (const Series& s : content.series)
    for (const auto* values : {&s.y, &s.low, &s.high})
      for (const double value : *values) extent.take(value, axis.log_base > 0);
  for (const Reference& r : content.references) extent.take(r.y, axis.log_base > 0);
  return padded(extent, axis, 0.05);
}

Range y_range(const BarPanel& content, const Axis& axis) {
  Extent extent;
  for (const BarGroup& group : content.groups)
    for (const double value : group.values) extent.take(value, axis.log_base > 0);
  if (axis.log_base > 0) return padded(extent, axis, 0.1);
  extent.take(0, false);
  Range range = padded(extent, axis, 0.1);
  // Bars stand on zero, without a margin below it.
  if (extent.low == 0 && !axis.low) range.low = 0;
  return range;
}

Range value_range(const HeatmapPanel& content) {
  Extent extent;
  for (const double value : content.values) extent.take(value, false);
  Range range = padded(extent, {}, 0);
  if (content.palette == Palette::kDiverging) {
    const double size = std::max(std::abs(extent.low), std::abs(extent.high));
    range = size > 0 ? Range{-size, size} : Range{-1, 1};
  }
  return {content.low.value_or(range.low), content.high.value_or(range.high)};
}

std::vector<double> round_numbers(const Range& range, double least) {
  const double size = range.high - range.low;
  if (!(size > 0)) return {range.low};
  double step = std::pow(10, std::floor(std::log10(size / 8)));
  for (const double factor : {2.0, 2.5, 2.0})
    if (size / step > 8) step *= factor;
  step = std::max(step, least);
  std::vector<double> numbers;
  for (double n = std::ceil(range.low / step - 1e-9); n * step <= range.high + 1e-9 * size; ++n)
    numbers.push_back(n * step + 0.0);  // 0 and never -0
  return numbers;
}

double share_of(double value, const Range& range, const Axis& axis) {
  if (axis.log_base > 0) return std::log(value / range.low) / std::log(range.high / range.low);
  return (value - range.low) / (range.high - range.low);
}

std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  // With i gaps taken off the i-th place, "far enough apart" becomes "not decreasing", and pooling
  // neighbours that decrease (isotonic regression) gives the least-squares answer.
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < order.size(); ++i) {
    pools.push_back({wanted[order[i]] - gap * static_cast<double>(i), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + last.sum, pools.back().count + last.count};
    }
  }
  const double room = high - gap * (static_cast<double>(wanted.size()) - 1);
  std::vector<double> result(wanted.size());
  std::size_t i = 0;
  for (const Pool& pool : pools)
    for (std::size_t n = 0; n < pool.count; ++n, ++i)
      result[order[i]] = std::max(std::min(pool.mean(), room), low) + gap * static_cast<double>(i);
  return result;
}

}  // namespace phasor
