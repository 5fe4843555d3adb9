// Boxes joined by arrows, drawn in pixels.
#include <algorithm>

#include "phasor/figure/palette.hpp"
#include "phasor/figure/pen.hpp"

namespace phasor {
namespace {

constexpr double kLabelSize = 12;   // of an arrow, pixels
constexpr double kArrowSpace = 20;  // between arrows that join the same two boxes

/// The box of every node: columns share the width, the boxes of a column its height.
std::vector<Box> boxes_of(const GraphPanel& content, const Box& area) {
  std::size_t columns = 0;
  double widest = 0;
  for (const GraphNode& node : content.nodes) {
    columns = std::max(columns, node.column + 1);
    widest = std::max({widest, text_width(node.label), text_width(node.detail)});
  }
  std::vector<double> in_column(columns, 0), placed(columns, 0);
  for (const GraphNode& node : content.nodes) ++in_column[node.column];
  const double width = widest + 14, height = 2 * kLineHeight + 12;
  // The first and the last column touch the edges: the rest of the width is for arrows.
  const double gap =
      columns > 1 ? (area.width() - width - 4) / static_cast<double>(columns - 1) : 0;
  std::vector<Box> boxes;
  for (const GraphNode& node : content.nodes) {
    const double x = area.left + 2 + width / 2 + gap * static_cast<double>(node.column);
    const double share = (placed[node.column]++ + 0.5) / in_column[node.column];
    const double y = area.top - share * area.height();
    boxes.push_back({x - width / 2, x + width / 2, y - height / 2, y + height / 2});
  }
  return boxes;
}

/// A closed curve, in pixels from the corner of the panel.
std::string outline(const Box& box, const Box& area) {
  const double left = box.left - area.left, right = box.right - area.left;
  const double bottom = box.bottom - area.bottom, top = box.top - area.bottom;
  return fmt::format(
      "{0:.2f} {2:.2f}\n{1:.2f} {2:.2f}\n{1:.2f} {3:.2f}\n{0:.2f} {3:.2f}\n"
      "{0:.2f} {2:.2f}\n\n",
      left, right, bottom, top);
}

/// How far above the middle each arrow runs, so that those between the same boxes lie apart.
std::vector<double> offsets(const std::vector<GraphArrow>& arrows) {
  std::vector<double> result;
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    double before = 0, all = 0;
    for (std::size_t j = 0; j < arrows.size(); ++j) {
      if (arrows[j].from != arrows[i].from || arrows[j].to != arrows[i].to) continue;
      ++all;
      before += j < i;
    }
    result.push_back(((all - 1) / 2 - before) * kArrowSpace);
  }
  return result;
}

void draw_arrow(Pen& pen, const GraphArrow& arrow, const Box& from, const Box& to, double offset) {
  const double y0 = (from.bottom + from.top) / 2 + offset;
  const double y1 = (to.bottom + to.top) / 2 + offset;
  pen.command("set arrow from {} to {} head filled size first 9,20 lw 1.3 lc rgb '{}'",
              pen.at(from.right, y0), pen.at(to.left, y1), kFaint);
  // Nearer to where it begins: arrows that meet in a box are still apart there.
  const double x = from.right + 0.4 * (to.left - from.right), y = y0 + 0.4 * (y1 - y0);
  pen.text(arrow.label, x, y + 9, "center", line_colours()[1], kLabelSize);
}

}  // namespace

void draw(Pen& pen, const Panel&, const GraphPanel& content) {
  const Box& area = pen.area();
  const std::vector<Box> boxes = boxes_of(content, area);
  pen.command("unset border; unset tics; unset colorbox");
  pen.command("set xrange [0:{}]", area.width());
  pen.command("set yrange [0:{}]", area.height());
  std::string all;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const GraphNode& node = content.nodes[i];
    const double x = (boxes[i].left + boxes[i].right) / 2;
    const double y = (boxes[i].bottom + boxes[i].top) / 2;
    const double apart = node.detail.empty() ? 0 : kLineHeight / 2;
    pen.text(node.label, x, y + apart, "center");
    pen.text(node.detail, x, y - apart, "center", kFaint, kLabelSize);
    all += outline(boxes[i], area);
    if (node.filled)
      pen.command("set object rectangle from {} to {} behind fs solid noborder fc rgb '#dcebf5'",
                  pen.at(boxes[i].left, boxes[i].bottom), pen.at(boxes[i].right, boxes[i].top));
  }
  const std::vector<double> apart = offsets(content.arrows);
  for (std::size_t i = 0; i < content.arrows.size(); ++i)
    draw_arrow(pen, content.arrows[i], boxes[content.arrows[i].from], boxes[content.arrows[i].to],
               apart[i]);
  pen.command("plot {} using 1:2 with lines lw 1.2 lc rgb '{}'", pen.block(all), kInk);
}

}  // namespace phasor
