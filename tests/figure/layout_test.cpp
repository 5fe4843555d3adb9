#include "phasor/figure/layout.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/figure/table_layout.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

TEST(Layout, SpreadKeepsTheGapAndTheOrder) {
  const std::vector<double> wanted = {50, 52, 51, 200};
  const std::vector<double> places = spread(wanted, 10, 0, 300);
  // The three that crowd are centred on their mean, 51; the fourth stays where it was.
  EXPECT_DOUBLE_EQ(places[0], 41);
  EXPECT_DOUBLE_EQ(places[2], 51);
  EXPECT_DOUBLE_EQ(places[1], 61);
  EXPECT_DOUBLE_EQ(places[3], 200);
}

TEST(Layout, SpreadStaysInside) {
  for (const double where : {0.0, 100.0}) {
    const std::vector<double> places = spread({where, where, where}, 10, 0, 100);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_GE(places[i], 0);
      EXPECT_LE(places[i], 100);
      if (i) {
        EXPECT_DOUBLE_EQ(places[i] - places[i - 1], 10);
      }
    }
  }
}

TEST(Layout, CellsFillThePictureWithoutOverlap) {
  const Figure figure = test::sample_figure();
  const Box paper = canvas(figure);
  double area = 0;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Box box = cell(figure, i);
    area += box.width() * box.height();
    EXPECT_GE(box.left, 0);
    EXPECT_LE(box.right, paper.right);
    EXPECT_GE(box.bottom, 0);
    EXPECT_LT(box.top, paper.top);
    const Box plot = plot_area(figure.panels[i], box);
    EXPECT_GT(plot.width(), 200) << i;
    const bool table = std::holds_alternative<TablePanel>(figure.panels[i].content);
    EXPECT_GT(plot.height(), table ? 60 : 200) << i;  // a table takes what its rows need
    EXPECT_GT(plot.left, box.left);
    EXPECT_LT(plot.right, box.right);
  }
  EXPECT_LT(area, paper.width() * paper.height());
}

TEST(Layout, LongLabelsGetTheirRoom) {
  const auto room = [](const std::string& label) {
    const Panel panel{.content = LinePanel{.series = {{.label = label, .y = {1, 2}}}}};
    const Box box{0, 800, 0, 400};
    return box.right - plot_area(panel, box).right;
  };
  const std::string label = "a label that is rather long";
  EXPECT_GT(room(label), text_width(label));
  EXPECT_GT(room(label), room("short"));
}

TEST(Layout, RangesCoverBandsAndReferences) {
  const LinePanel panel{.series = {{.label = "a", .y = {2, 3}, .low = {1, 2}, .high = {3, 5}}},
                        .references = {{"floor", -1}}};
  const Range range = y_range(panel, {});
  EXPECT_LT(range.low, -1);
  EXPECT_GT(range.high, 5);
  EXPECT_EQ(y_range(panel, {.low = 0}).low, 0);
}

TEST(Layout, FlatAndLogarithmicDataHaveTwoEnds) {
  const Range flat = y_range(LinePanel{.series = {{.y = {2, 2}}}}, {});
  EXPECT_LT(flat.low, 2);
  EXPECT_GT(flat.high, 2);
  // A zero cannot be shown on a logarithmic axis and must not break it.
  const Range log = y_range(LinePanel{.series = {{.y = {0, 1, 100}}}}, {.log_base = 10});
  EXPECT_GT(log.low, 0);
  EXPECT_LE(log.low, 1);
  EXPECT_GE(log.high, 100);
}

TEST(Layout, DivergingColoursAreSymmetric) {
  const Range range = value_range({.values = {{-0.5, 2}}});
  EXPECT_EQ(range.low, -2);
  EXPECT_EQ(range.high, 2);
  const Range viridis = value_range({.values = {{-0.5, 2}}, .palette = Palette::kViridis});
  EXPECT_EQ(viridis.low, -0.5);
}

TEST(Layout, RoundNumbersAreFewAndRound) {
  EXPECT_EQ(round_numbers({0, 99}, 1), (std::vector<double>{0, 20, 40, 60, 80}));
  EXPECT_EQ(round_numbers({0, 5}, 1), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(round_numbers({3, 3}, 1), (std::vector<double>{3}));
  EXPECT_EQ(round_numbers({0, 1}, 1), (std::vector<double>{0, 1}));  // two cells, two ticks
  EXPECT_EQ(round_numbers({0, 1}, 0.5), (std::vector<double>{0, 0.5, 1}));
  EXPECT_FALSE(std::signbit(round_numbers({0, 31}, 1)[0]));  // "-0" on an axis
}

TEST(Layout, TablesFillTheirWidthAndBreakOnlyWhatIsTooLong) {
  const TablePanel table{
      .columns = {{"short"}, {"number", true}, {"long"}},
      .rows = {{"a", "1", "twenty words would not fit, and these are more than enough to show it"},
               {"b", "22", "brief"}}};
  for (const double width : {300.0, 820.0}) {
    const TableLayout layout = table_layout(table, width);
    EXPECT_NEAR(layout.widths[0] + layout.widths[1] + layout.widths[2], width, 1e-9);
    ASSERT_EQ(layout.lines.size(), 3u);  // with the header
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (const std::string& line : layout.lines[i][j])
          EXPECT_LE(text_width(line) + 2 * kCellSpace, layout.widths[j] + 1e-9) << line;
    EXPECT_EQ(layout.lines[1][2].size() > 1, width == 300.0);
    EXPECT_EQ(layout.lines[1][0].size(), 1u);
    EXPECT_GE(layout.row_heights[1], static_cast<double>(layout.lines[1][2].size()) * kLineHeight);
  }
}

TEST(Layout, APictureOfATableIsAsHighAsItsRows) {
  Figure figure = test::sample_figure();
  TablePanel table{.columns = {{"a"}}, .rows = {{"x"}}};
  figure.columns = 1;
  figure.panels = {{.content = table}};
  const double one = canvas(figure).height();
  EXPECT_LT(one, 130);
  table.rows.resize(11, {"x"});
  figure.panels = {{.content = table}};
  EXPECT_NEAR(canvas(figure).height() - one, 10 * table_layout(table, 800).row_heights[1], 1e-9);
  const Box box = cell(figure, 0), area = plot_area(figure.panels[0], box);
  EXPECT_GE(area.height(), table_layout(table, area.width()).height());
}

}  // namespace
}  // namespace phasor
