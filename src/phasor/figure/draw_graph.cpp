// Boxes joined by arrows, drawn in pixels.
#include <algorithm>
#include <numeric>

#include "phasor/figure/palette.hpp"
#include "phasor/figure/pen.hpp"

namespace phasor {
namespace {

constexpr double kLabelSize = 12;   // of an arrow, pixels
constexpr double kArrowSpace = 20;  // between arrows at the side of a box, where there is room

double middle(const Box& box) { return (box.bottom + box.top) / 2; }

/// Where everything of a graph goes. An arrow that skips columns gets a place of its own in each of
/// them, below the boxes there, so that no arrow runs through a box.
struct Plan {
  std::vector<Box> boxes;                ///< of every node
  std::vector<std::vector<Box>> places;  ///< of every arrow, in the columns it skips
};

/// Columns share the width; what stands in a column shares its height.
Plan plan_of(const GraphPanel& content, const Box& area) {
  std::size_t columns = 0;
  double widest = 0;
  for (const GraphNode& node : content.nodes) {
    columns = std::max(columns, node.column + 1);
    widest = std::max({widest, text_width(node.label), text_width(node.detail)});
  }
  std::vector<double> in_column(columns, 0), placed(columns, 0);
  for (const GraphNode& node : content.nodes) ++in_column[node.column];
  const auto skipped = [&](const GraphArrow& arrow, const auto& visit) {
    for (std::size_t c = content.nodes[arrow.from].column + 1; c < content.nodes[arrow.to].column;
         ++c)
      visit(c);
  };
  for (const GraphArrow& arrow : content.arrows)
    skipped(arrow, [&](std::size_t c) { ++in_column[c]; });
  const double width = widest + 14, height = 2 * kLineHeight + 12;
  // The first and the last column touch the edges: the rest of the width is for arrows.
  const double gap =
      columns > 1 ? (area.width() - width - 4) / static_cast<double>(columns - 1) : 0;
  const auto next_in = [&](std::size_t column) {
    const double x = area.left + 2 + width / 2 + gap * static_cast<double>(column);
    const double y = area.top - (placed[column]++ + 0.5) / in_column[column] * area.height();
    return Box{x - width / 2, x + width / 2, y - height / 2, y + height / 2};
  };
  Plan plan;
  for (const GraphNode& node : content.nodes) plan.boxes.push_back(next_in(node.column));
  for (const GraphArrow& arrow : content.arrows) {
    plan.places.emplace_back();
    skipped(arrow, [&](std::size_t c) { plan.places.back().push_back(next_in(c)); });
  }
  return plan;
}

/// How far above the middle of a box each arrow meets its side. `box_of` is the box of an arrow,
/// `far_end` the height from which it comes: arrows at one side are in the order of those.
std::vector<double> offsets(const Plan& plan, const std::vector<std::size_t>& box_of,
                            const std::vector<double>& far_end) {
  std::vector<std::size_t> order(box_of.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return far_end[a] > far_end[b]; });
  std::vector<double> count(plan.boxes.size(), 0), met(plan.boxes.size(), 0);
  for (const std::size_t box : box_of) ++count[box];
  std::vector<double> result(box_of.size());
  for (const std::size_t i : order) {
    const std::size_t box = box_of[i];
    const double room = plan.boxes[box].height() - 6;
    const double space = count[box] > 1 ? std::min(kArrowSpace, room / (count[box] - 1)) : 0;
    result[i] = ((count[box] - 1) / 2 - met[box]++) * space;
  }
  return result;
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

void draw_boxes(Pen& pen, const GraphPanel& content, const Plan& plan) {
  std::string outlines;
  for (std::size_t i = 0; i < plan.boxes.size(); ++i) {
    const GraphNode& node = content.nodes[i];
    const Box& box = plan.boxes[i];
    const double x = (box.left + box.right) / 2;
    const double apart = node.detail.empty() ? 0 : kLineHeight / 2;
    pen.text(node.label, x, middle(box) + apart, "center");
    pen.text(node.detail, x, middle(box) - apart, "center", kFaint, kLabelSize);
    outlines += outline(box, pen.area());
    if (node.filled)
      pen.command("set object rectangle from {} to {} behind fs solid noborder fc rgb '#dcebf5'",
                  pen.at(box.left, box.bottom), pen.at(box.right, box.top));
  }
  pen.command("plot {} using 1:2 with lines lw 1.2 lc rgb '{}'", pen.block(outlines), kInk);
}

void draw_arrows(Pen& pen, const GraphPanel& content, const Plan& plan) {
  std::vector<std::size_t> from, to;
  std::vector<double> heights_after, heights_before;  // where an arrow goes to, comes from
  for (std::size_t i = 0; i < content.arrows.size(); ++i) {
    from.push_back(content.arrows[i].from);
    to.push_back(content.arrows[i].to);
    const std::vector<Box>& places = plan.places[i];
    heights_after.push_back(middle(places.empty() ? plan.boxes[to.back()] : places.front()));
    heights_before.push_back(middle(places.empty() ? plan.boxes[from.back()] : places.back()));
  }
  const std::vector<double> start = offsets(plan, from, heights_after);
  const std::vector<double> end = offsets(plan, to, heights_before);
  for (std::size_t i = 0; i < content.arrows.size(); ++i) {
    const Box &first = plan.boxes[from[i]], &last = plan.boxes[to[i]];
    double x = first.right, y = middle(first) + start[i];
    const bool direct = plan.places[i].empty();
    const double x1 = direct ? last.left : plan.places[i].front().left;
    const double y1 = direct ? middle(last) + end[i] : middle(plan.places[i].front());
    // Nearer to where it begins: arrows that meet in a box are still apart there.
    pen.text(content.arrows[i].label, x + 0.4 * (x1 - x), y + 0.4 * (y1 - y) + 9, "center",
             line_colours()[1], kLabelSize);
    for (const Box& place : plan.places[i]) {
      pen.stroke(x, y, place.left, middle(place), kFaint, 1.3);
      pen.stroke(place.left, middle(place), place.right, middle(place), kFaint, 1.3);
      x = place.right;
      y = middle(place);
    }
    pen.command("set arrow from {} to {} head filled size first 9,20 lw 1.3 lc rgb '{}'",
                pen.at(x, y), pen.at(last.left, middle(last) + end[i]), kFaint);
  }
}

}  // namespace

void draw(Pen& pen, const Panel&, const GraphPanel& content) {
  const Plan plan = plan_of(content, pen.area());
  pen.command("unset border; unset tics; unset colorbox");
  pen.command("set xrange [0:{}]", pen.area().width());
  pen.command("set yrange [0:{}]", pen.area().height());
  draw_arrows(pen, content, plan);
  draw_boxes(pen, content, plan);
}

}  // namespace phasor
