#include "phasor/figure/interactive.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "phasor/figure/layout.hpp"
#include "phasor/figure/markup.hpp"
#include "phasor/figure/page.hpp"
#include "phasor/figure/palette.hpp"
#include "phasor/figure/scripts.hpp"

namespace phasor {
namespace {

constexpr std::string_view kMatrixHelp =
    "Point at a cell, or press the arrow keys when the picture has the focus: the value is written "
    "below it, and every pair of positions as far apart is framed.";
constexpr std::string_view kViewsHelp =
    "Point at a value, or press the arrow keys when the picture has the focus: it is written below "
    "the picture. The sliders choose which positions and dimensions are drawn.";

/// The numbers as the script reads them, with every digit. No "<" can end the element they are in.
std::string numbers(const Figure& figure, const HeatmapPanel& map) {
  const Range range = value_range(map);
  const nlohmann::ordered_json json = {
      {"rows", map.values.shape(0)},
      {"columns", map.values.shape(1)},
      {"values", std::vector<double>(map.values.begin(), map.values.end())},
      {"low", range.low},
      {"high", range.high},
      {"stops", stops(map.palette)},
      {"colours", line_colours()},
      {"rowTitle", figure.panels[0].y.title},
      {"columnTitle", figure.panels[0].x.title},
      {"valueTitle", map.value_title}};
  std::string text;
  for (const char c : json.dump()) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

std::string slider(const std::string& id, const char* label, std::size_t last, std::size_t value) {
  return fmt::format(
      "<span class=\"slider\"><label for=\"{0}\">{1}</label> <input type=\"range\" id=\"{0}\" "
      "min=\"0\" max=\"{2}\" value=\"{3}\" autocomplete=\"off\"> <span id=\"{0}-value\">{3}</span>"
      "</span>\n",
      id, label, last, value);
}

std::string range(const std::string& name, std::size_t count) {
  return fmt::format("<fieldset><legend>{}</legend>\n{}{}</fieldset>\n", name,
                     slider(name + "-from", "from", count - 1, 0),
                     slider(name + "-to", "to", count - 1, count - 1));
}

std::string controls(const HeatmapPanel& map) {
  return "<fieldset><legend>view</legend>\n"
         "<label><input type=\"radio\" name=\"view\" id=\"heatmap\" checked autocomplete=\"off\"> "
         "heatmap</label>\n"
         "<label><input type=\"radio\" name=\"view\" id=\"waves\" autocomplete=\"off\"> "
         "waves</label>\n</fieldset>\n" +
         range("positions", map.values.shape(0)) + range("dimensions", map.values.shape(1));
}

std::string static_picture(const Figure& figure, std::string_view svg) {
  if (svg.empty())
    return fmt::format("<p>Not drawn, gnuplot was missing. {}</p>\n", escape_markup(figure.alt));
  const Box paper = canvas(figure);
  return picture_html(figure.title, "data:image/svg+xml;base64," + base64(svg), figure.alt,
                      paper.width(), paper.height());
}

}  // namespace

std::string interactive_page(const Figure& figure, std::string_view svg) {
  const auto& map = std::get<HeatmapPanel>(figure.panels[0].content);
  const bool views = figure.interaction == Interaction::kViews;
  const std::string title = escape_markup(figure.title);
  const std::string body = fmt::format(
      "<main>\n<h1>{}</h1>\n<p class=\"text\">{}</p>\n"
      "<div id=\"static\">\n{}<noscript><p class=\"note\">With scripts this picture answers to the "
      "pointer and to keys.</p></noscript>\n</div>\n"
      "<div id=\"interactive\" hidden>\n{}<p id=\"help\" class=\"note\">{}</p>\n"
      "<div><canvas id=\"canvas\" tabindex=\"0\" role=\"application\" aria-label=\"{}\" "
      "aria-describedby=\"help\">{}</canvas></div>\n"
      "<output id=\"readout\"></output>\n</div>\n"
      "<p class=\"files\"><a href=\"{}.csv\">numbers (CSV)</a></p>\n</main>\n",
      title, escape_markup(figure.caption), static_picture(figure, svg),
      views ? controls(map) : std::string(), views ? kViewsHelp : kMatrixHelp, title,
      escape_markup(figure.alt), escape_address(figure.id));
  return html_page(
      figure.title,
      fmt::format("{}<script type=\"application/json\" id=\"data\">{}</script>\n"
                  "<script>\n{}{}</script>\n",
                  body, numbers(figure, map), kCanvasScript, views ? kViewsScript : kMatrixScript));
}

}  // namespace phasor
