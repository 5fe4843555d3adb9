#include "phasor/figure/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "phasor/figure/markup.hpp"

namespace phasor {
namespace {

// Every pair of text and background has a contrast of 4.5 to 1 or more (WCAG 2.1, AA).
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #595959; --line: #d0d0d0;
  --link: #0b57a4; --holds: #0b6b2e; --fails: #b00020; --partly: #7a4b00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #17191c; --faint: #b0b0b0; --line: #44484d; --link: #8ab8f0;
    --holds: #7fd69a; --fails: #ff9c9c; --partly: #f0c674; } }
body { margin: 0 auto; max-width: 64rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 "DejaVu Sans", Verdana, system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1, h2, h3 { line-height: 1.25; }
section { border-top: 1px solid var(--line); margin-top: 2.5rem; }
figure { margin: 0 0 2rem; }
figcaption, .text { max-width: 48rem; }
.picture { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; background: #fff; }
.picture img { display: block; width: 100%; height: auto; }
.note, .files { color: var(--faint); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
.verdict { font-weight: bold; }
.holds { color: var(--holds); } .fails { color: var(--fails); } .partly { color: var(--partly); }
canvas { display: block; width: 100%; background: #fff; touch-action: pan-y; cursor: crosshair; }
fieldset { border: 1px solid var(--line); border-radius: 4px; margin: 0 0 .75rem; }
.slider { display: inline-block; margin-right: 1.5rem; white-space: nowrap; }
.slider input { vertical-align: middle; width: 9rem; }
.slider span { display: inline-block; min-width: 2ch; text-align: right; }
#readout { display: block; margin-top: .5rem; min-height: 3em; font-weight: bold; }
)";

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escape_markup(title), kStyle, body);
}

std::string picture_html(std::string_view title, std::string_view source, std::string_view alt,
                         double width, double height) {
  // Text has 13 pixels in the picture; 10 can still be read. No wider than the page, where it fits.
  const double least = std::min(0.8 * width, 900.0);
  return fmt::format(
      "<div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><img src=\"{}\" "
      "alt=\"{}\" width=\"{}\" height=\"{}\" style=\"min-width: {:.0f}px\" "
      "loading=\"lazy\"></div>\n",
      escape_markup(title), source, escape_markup(alt), width, height, least);
}

}  // namespace phasor
