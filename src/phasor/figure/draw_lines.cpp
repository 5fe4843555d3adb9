// Curves with bands, reference lines and labels.
#include <algorithm>
#include <cmath>

#include "phasor/figure/palette.hpp"
#include "phasor/figure/pen.hpp"

namespace phasor {
namespace {

double x_of(const Series& s, std::size_t i) {
  return s.x.empty() ? static_cast<double>(i) : s.x[i];
}

const std::string& colour_of(const LinePanel& content, std::size_t n) {
  return line_colours()[content.series[n].colour_of.value_or(n)];
}

/// Something that is named at the right of the panel.
struct Label {
  KeyEntry entry;
  double x, y;  // pixels: the point that is named
};

std::string curve_rows(const Series& s) {
  std::string rows;
  for (std::size_t i = 0; i < s.y.size(); ++i) {
    rows += fmt::format("{} {}", number(x_of(s, i)), number(s.y[i]));
    if (!s.low.empty()) rows += fmt::format(" {} {}", number(s.low[i]), number(s.high[i]));
    rows += "\n";
  }
  return rows;
}

std::string style(Mark mark) {
  if (mark == Mark::kLine) return "lines";
  return fmt::format("{} {}", mark == Mark::kPoints ? "points" : "linespoints", kDot);
}

std::vector<Label> labels_of(const Panel& panel, const LinePanel& content, const Box& area) {
  const Range xs = x_range(content, panel.x), ys = y_range(content, panel.y);
  const auto height = [&](double y) {
    return area.bottom + std::clamp(share_of(y, ys, panel.y), 0.0, 1.0) * area.height();
  };
  std::vector<Label> labels;
  for (std::size_t n = 0; n < content.series.size(); ++n) {
    const Series& s = content.series[n];
    if (s.label.empty()) continue;
    std::size_t last = s.y.size() - 1;
    while (!std::isfinite(s.y[last])) --last;
    const double share = std::clamp(share_of(x_of(s, last), xs, panel.x), 0.0, 1.0);
    labels.push_back({{s.label, colour_of(content, n), s.mark, s.dashed},
                      area.left + share * area.width(),
                      height(s.y[last])});
  }
  for (const Reference& r : content.references)
    labels.push_back({{r.label, std::string(kFaint), Mark::kLine, true}, area.right, height(r.y)});
  return labels;
}

void name_at_the_line(Pen& pen, const std::vector<Label>& labels) {
  const Box& area = pen.area();
  std::vector<double> wanted;
  for (const Label& label : labels) wanted.push_back(label.y);
  const std::vector<double> places = spread(wanted, kLineHeight, area.bottom, area.top);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    pen.stroke(labels[i].x + 1, labels[i].y, area.right + 22, places[i], labels[i].entry.colour,
               1.2, labels[i].x < area.right - 3 ? "3" : "1");
    pen.text(labels[i].entry.text, area.right + 27, places[i]);
  }
}

}  // namespace

void draw(Pen& pen, const Panel& panel, const LinePanel& content) {
  const Range xs = x_range(content, panel.x), ys = y_range(content, panel.y);
  pen.axes(panel);
  pen.command("set xrange [{}:{}]", xs.low, xs.high);
  pen.command("set yrange [{}:{}]", ys.low, ys.high);
  std::string bands, curves;
  for (std::size_t n = 0; n < content.series.size(); ++n) {
    const Series& s = content.series[n];
    const std::string block = pen.block(curve_rows(s));
    const std::string& colour = colour_of(content, n);
    if (!s.low.empty())
      bands += fmt::format(
          "{} using 1:3:4 with filledcurves fc rgb '{}' fs transparent solid 0.2 noborder, ", block,
          colour);
    // Points are drawn over their curve; they mark where it was measured.
    curves += fmt::format("{} using 1:2 with {} lw 2 {} lc rgb '{}', ", block, style(s.mark),
                          s.mark == Mark::kPoints ? ""
                          : s.dashed              ? "dt 2"
                                                  : "dt 1",
                          colour);
  }
  for (const Reference& r : content.references)
    pen.command(
        "set arrow from graph 0,first {} to graph 1,first {} nohead lw 1.5 dt 2 lc rgb '{}'", r.y,
        r.y, kFaint);
  const std::vector<Label> labels = labels_of(panel, content, pen.area());
  if (content.key) {
    std::vector<KeyEntry> entries;
    for (const Label& label : labels) entries.push_back(label.entry);
    pen.key(entries);
  } else {
    name_at_the_line(pen, labels);
  }
  std::string all = bands + curves;
  all.resize(all.size() - 2);
  pen.command("plot {}", all);
}

}  // namespace phasor
