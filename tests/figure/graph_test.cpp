// Where the boxes and the arrows of a graph go, read from the script that draws them.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "phasor/figure/layout.hpp"
#include "phasor/figure/script.hpp"

namespace phasor {
namespace {

struct Line {
  double x0, y0, x1, y1;  // pixels
};

/// A chain of four boxes, another box beside it, and arrows that skip one and two columns.
Figure chain() {
  const GraphPanel graph{.nodes = {{.label = "x"},
                                   {.label = "one", .column = 1},
                                   {.label = "two", .column = 2},
                                   {.label = "beside", .column = 2},
                                   {.label = "three", .column = 3}},
                         .arrows = {{0, 1}, {1, 2}, {2, 4}, {3, 4}, {0, 2}, {0, 4}, {0, 1}}};
  return {.id = "chain",
          .title = "Chain",
          .caption = "A chain.",
          .alt = "A chain.",
          .panels = {{.content = graph}}};
}

/// Every arrow and stroke of the script.
std::vector<Line> lines_of(const std::string& script, const Box& paper) {
  static const std::regex arrow(
      "set arrow from screen ([0-9.]+),screen ([0-9.]+) to screen ([0-9.]+),screen ([0-9.]+)");
  std::vector<Line> lines;
  for (std::sregex_iterator found(script.begin(), script.end(), arrow), end; found != end; ++found)
    lines.push_back(
        {std::stod((*found)[1]) * paper.width(), std::stod((*found)[2]) * paper.height(),
         std::stod((*found)[3]) * paper.width(), std::stod((*found)[4]) * paper.height()});
  // The script draws everything twice, as SVG and as PNG.
  lines.resize(lines.size() / 2);
  return lines;
}

/// The outlines of the data block: five corners each, an empty line between them.
std::vector<Box> boxes_of(const std::string& script, const Box& area) {
  const std::size_t begin = script.find("$p1d1 << EOD\n") + 13;
  std::istringstream numbers(script.substr(begin, script.find("EOD", begin) - begin));
  std::vector<Box> boxes;
  std::vector<double> x, y;
  for (double a, b; numbers >> a >> b;) {
    x.push_back(area.left + a);
    y.push_back(area.bottom + b);
    if (x.size() < 5) continue;
    boxes.push_back({*std::min_element(x.begin(), x.end()), *std::max_element(x.begin(), x.end()),
                     *std::min_element(y.begin(), y.end()), *std::max_element(y.begin(), y.end())});
    x.clear();
    y.clear();
  }
  return boxes;
}

TEST(Graph, NoArrowRunsThroughABoxAndNoBoxOverAnother) {
  const Figure figure = chain();
  const std::string script = gnuplot_script(figure, "a.svg", "a.png");
  const std::vector<Line> lines = lines_of(script, canvas(figure));
  const Box area = plot_area(figure.panels[0], cell(figure, 0));
  const std::vector<Box> boxes = boxes_of(script, area);
  ASSERT_EQ(boxes.size(), 5u);
  // Seven arrows, and two strokes more for each of the three columns that are skipped.
  ASSERT_EQ(lines.size(), 13u);
  for (const Line& line : lines)
    for (const Box& box : boxes)
      for (double share = 0; share <= 1; share += 0.001) {
        const double x = line.x0 + share * (line.x1 - line.x0);
        const double y = line.y0 + share * (line.y1 - line.y0);
        // Half a pixel: the script has six digits of the picture's size.
        ASSERT_FALSE(x > box.left + 0.5 && x < box.right - 0.5 && y > box.bottom && y < box.top)
            << x << " " << y;
      }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_GE(boxes[i].left, area.left);
    EXPECT_LE(boxes[i].right, area.right);
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE(boxes[i].left > boxes[j].right || boxes[i].right < boxes[j].left ||
                  boxes[i].bottom > boxes[j].top || boxes[i].top < boxes[j].bottom)
          << i << " " << j;
  }
}

TEST(Graph, ArrowsBetweenTheSameBoxesLieApart) {
  const Figure figure = chain();
  const std::vector<Line> lines =
      lines_of(gnuplot_script(figure, "a.svg", "a.png"), canvas(figure));
  std::vector<double> heights;  // at which arrows leave the first box
  const double left =
      std::min_element(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
        return a.x0 < b.x0;
      })->x0;
  for (const Line& line : lines)
    if (line.x0 == left) heights.push_back(line.y0);
  ASSERT_EQ(heights.size(), 4u);
  std::sort(heights.begin(), heights.end());
  for (std::size_t i = 1; i < heights.size(); ++i) EXPECT_GT(heights[i] - heights[i - 1], 10) << i;
}

}  // namespace
}  // namespace phasor
