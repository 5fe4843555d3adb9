// Whatever a text holds, it is drawn as it is: at every place of a figure that has words.
#include <gtest/gtest.h>

#include "phasor/core/file.hpp"
#include "phasor/figure/markup.hpp"
#include "phasor/figure/write.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

using test::TemporaryFolder;

/// Words that mean something to gnuplot, to its enhanced mode, to XML or to a terminal.
const std::vector<std::string> kTexts = {"100%",
                                         "%L of %q",
                                         "a@b",
                                         "x_i^2",
                                         "{/Bold x}",
                                         "it's",
                                         "\"quoted\"",
                                         "back\\slash\\n",
                                         "`date`",
                                         "$x",
                                         "# no comment",
                                         "<b>&amp;",
                                         "se\u00F1or \u20AC",
                                         "a; b, c",
                                         "%%",
                                         "@PATH"};

/// As an SVG holds it.
std::string in_svg(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else
      result += c;
  }
  return result;
}

/// `text` as title, label, tick, category, entry and so on.
Figure figure_of(const std::string& text) {
  const LinePanel lines{.series = {{.label = text, .y = {1, 2}}, {.label = "b", .y = {2, 1}}},
                        .references = {{text, 1.5}}};
  const HeatmapPanel map{.values = {{0.5, 1}, {2, 3}},
                         .value_title = text,
                         .row_labels = {text, "r"},
                         .column_labels = {"c", text}};
  const DialPanel dials{.dials = {{text, {0}}}, .hands = {text}, .hands_title = text};
  const BarPanel bars{.categories = {text, "b"}, .groups = {{text, {1, 2}}, {"g", {1, 2}}}};
  const GraphPanel graph{.nodes = {{.label = text, .detail = text}, {.label = "b", .column = 1}},
                         .arrows = {{0, 1, text}}};
  const Axis axis{.title = text, .ticks = {{0, text}, {1, "1"}}};
  return {.id = "text",
          .title = text,
          .caption = text,
          .alt = text,
          .panels = {{.title = text, .x = axis, .y = axis, .content = lines},
                     {.title = text, .content = map},
                     {.title = text, .content = dials},
                     {.title = text, .x = axis, .y = axis, .content = bars},
                     {.title = text, .content = TablePanel{.columns = {{text}}, .rows = {{text}}}},
                     {.title = text, .content = graph}},
          .columns = 2};
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// What is drawn in a picture, without its title and its description.
std::string drawn_in(const std::string& svg) { return svg.substr(svg.find("</desc>") + 7); }

TEST(FigureText, IsDrawnAsItIs) {
  const TemporaryFolder folder;
  // Ends of lines and blanks aside, every text stands as often as a plain word does.
  ASSERT_TRUE(write_figure(figure_of("plain"), folder.path()));
  const std::size_t wanted = times(drawn_in(read_file(folder.path() / "text.svg")), ">plain<");
  EXPECT_GE(wanted, 24u);
  for (const std::string& text : kTexts) {
    ASSERT_TRUE(write_figure(figure_of(text), folder.path())) << text;
    const std::string svg = read_file(folder.path() / "text.svg");
    EXPECT_EQ(times(drawn_in(svg), ">" + in_svg(text) + "<"), wanted) << text;
    EXPECT_EQ(times(svg, "<title>" + escape_markup(text) + "</title>"), 1u) << text;
  }
}

TEST(FigureText, HasASignForWhatCannotBeDrawn) {
  EXPECT_EQ(drawable("a\nb\x1b\x7F"), "a\u240Ab\u241B\u2421");
  EXPECT_EQ(drawable(std::string("\0", 1)), "\u2400");
  EXPECT_EQ(drawable("\xFF se\u00F1or \xC2\x85"), "\uFFFD se\u00F1or \uFFFD");
  const TemporaryFolder folder;
  ASSERT_TRUE(write_figure(figure_of("a\nb\x01\xFF"), folder.path()));
  const std::string svg = read_file(folder.path() / "text.svg");
  EXPECT_GE(times(svg, ">a\u240Ab\u2401\uFFFD<"), 24u);
  for (const char c : svg)
    ASSERT_TRUE(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace
}  // namespace phasor
