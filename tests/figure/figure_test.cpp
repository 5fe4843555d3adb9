#include "phasor/figure/figure.hpp"

#include <gtest/gtest.h>

#include "phasor/core/error.hpp"
#include "phasor/figure/csv.hpp"
#include "phasor/figure/palette.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

using test::sample_figure;

/// What check_figure() says of a figure with one panel.
std::string complaint(const decltype(Panel::content)& content) {
  Figure figure = sample_figure("broken");
  figure.panels = {{.content = content}};
  try {
    check_figure(figure);
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Figure, SampleIsSound) { EXPECT_NO_THROW(check_figure(sample_figure())); }

TEST(Figure, IdMustBeAFileName) {
  for (const char* id : {"", "../up", "two words", "Upper", "a/b"})
    EXPECT_THROW(check_figure(sample_figure(id)), ConfigError) << id;
}

TEST(Figure, WordsMustNotBeMissing) {
  for (auto member : {&Figure::title, &Figure::caption, &Figure::alt}) {
    Figure figure = sample_figure();
    figure.*member = "";
    EXPECT_THROW(check_figure(figure), ConfigError);
  }
  Figure figure = sample_figure();
  figure.panels.clear();
  EXPECT_THROW(check_figure(figure), ConfigError);
}

TEST(Figure, CurvesMustFit) {
  EXPECT_TRUE(has(complaint(LinePanel{}), "1 to 7 curves, got 0"));
  const Series good{.label = "a", .y = {1, 2}};
  EXPECT_TRUE(has(complaint(LinePanel{.series = std::vector<Series>(8, good)}), "got 8"));
  EXPECT_EQ(complaint(LinePanel{.series = std::vector<Series>(7, good)}), "");
  EXPECT_TRUE(
      has(complaint(LinePanel{.series = {{.label = "a", .y = {1, 2}, .x = {1}}}}), "1 x for 2 y"));
  EXPECT_TRUE(has(complaint(LinePanel{.series = {{.label = "a", .y = {1}, .low = {1}}}}),
                  "1 low and 0 high"));
  EXPECT_TRUE(
      has(complaint(LinePanel{.series = {{.label = "a", .y = {std::nan("")}}}}), "no finite"));
  EXPECT_TRUE(has(complaint(LinePanel{.series = {{.label = "a", .y = {1}, .colour_of = 7}}}),
                  "colour of curve 7; there are 7"));
}

TEST(Figure, OtherPanelsMustFit) {
  EXPECT_TRUE(has(complaint(HeatmapPanel{.values = {1, 2, 3}}), "matrix"));
  EXPECT_TRUE(has(complaint(HeatmapPanel{.values = {{1, 2}}, .column_labels = {"one"}}), "1 x 2"));
  EXPECT_TRUE(has(complaint(DialPanel{}), "needs a dial"));
  EXPECT_TRUE(has(complaint(DialPanel{.dials = {{"a", {1, 2}}}, .hands = {"one"}}), "2 hands, 1"));
  EXPECT_TRUE(
      has(complaint(BarPanel{.categories = {"a"}, .groups = {{"g", {1, 2}}}}), "2 bars for 1"));
  EXPECT_TRUE(has(complaint(TablePanel{}), "columns and rows, got 0 and 0"));
  EXPECT_TRUE(has(complaint(TablePanel{.columns = {{"a"}, {"b"}}, .rows = {{"x"}}}),
                  "1 cells for 2 columns"));
  EXPECT_TRUE(has(complaint(GraphPanel{}), "needs a node"));
  const std::vector<GraphNode> nodes = {{.label = "a"}, {.label = "b", .column = 1}};
  EXPECT_EQ(complaint(GraphPanel{.nodes = nodes, .arrows = {{0, 1}}}), "");
  EXPECT_TRUE(has(complaint(GraphPanel{.nodes = nodes, .arrows = {{0, 2}}}), "node 2 of 2"));
  EXPECT_TRUE(has(complaint(GraphPanel{.nodes = nodes, .arrows = {{1, 0}}}), "further right"));
}

TEST(Figure, CsvHoldsEveryNumber) {
  EXPECT_EQ(to_csv(sample_figure()), R"(panel,kind,name,x,row,value,low,high
1,line,"loss, ""mean""",0,,3,2.5,3.5
1,line,"loss, ""mean""",1,,2,1.5,2.5
1,line,"loss, ""mean""",2,,0.1,0,0.2
1,line,it's_b,0,,1,,
1,line,it's_b,1,,nan,,
1,line,it's_b,4,,2,,
1,reference,floor,,,0.05,,
2,cell,,0,the,0.5,,
2,cell,,1,the,nan,,
2,cell,,0,dog,-1,,
2,cell,,1,dog,0.25,,
3,hand,pair 0,0,,0,,
3,hand,pair 0,1,,1,,
4,bar,short,sine,,1,,
4,bar,short,real,,1e-09,,
4,bar,long,sine,,2,,
4,bar,long,real,,0,,
5,entry,"scheme, in words",0,0,"one | long text that is broken into lines because no column is as wide as it is, it goes on and on",,
5,entry,waves,1,0,6.283185307179586,,
5,entry,"scheme, in words",0,1,two,,
5,entry,waves,1,1,"a ""few""",,
6,node,"x, twice",0,0,3,,
6,node,mul,1,1,9,,
6,arrow,,0,1,"left ""3""",,
6,arrow,,0,1,right 3,,
)");
}

/// RFC 4180, section 2: fields with line breaks of either kind, quotes or commas are quoted.
TEST(Figure, CsvQuotesWhatWouldEndAField) {
  for (const char* label : {"one\rtwo", "one\ntwo", "one\"two", "one,two"}) {
    Figure figure = sample_figure();
    figure.panels = {{.content = LinePanel{.series = {{.label = label, .y = {1}}}}}};
    std::string doubled = label;
    if (const std::size_t quote = doubled.find('"'); quote != std::string::npos)
      doubled.insert(quote, 1, '"');
    EXPECT_TRUE(has(to_csv(figure), "1,line,\"" + doubled + "\",0,")) << to_csv(figure);
  }
}

TEST(Figure, CsvNumbersReadBackExactly) {
  const double value = 0.1 + 0.2;
  Figure figure = sample_figure();
  figure.panels = {{.content = LinePanel{.series = {{.label = "a", .y = {value}}}}}};
  EXPECT_TRUE(has(to_csv(figure), ",0.30000000000000004,"));
}

TEST(Figure, PalettesRunFromEndToEnd) {
  EXPECT_EQ(colour_at(Palette::kDiverging, 0), "#053061");
  EXPECT_EQ(colour_at(Palette::kDiverging, 0.5), "#f7f7f7");
  EXPECT_EQ(colour_at(Palette::kDiverging, 1), "#67001f");
  EXPECT_EQ(colour_at(Palette::kViridis, 7), "#fde725");  // beyond the end stays at the end
  // Half way between two stops of viridis, each channel is their mean.
  EXPECT_EQ(colour_at(Palette::kViridis, 0.05), "#461365");
  EXPECT_EQ(ink_on("#053061"), "#ffffff");
  EXPECT_EQ(ink_on("#fde725"), "#000000");
}

}  // namespace
}  // namespace phasor
