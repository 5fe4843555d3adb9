#include "phasor/figure/script.hpp"

#include "phasor/figure/pen.hpp"

namespace phasor {
namespace {

/// One panel: everything the last one set is forgotten first.
Pen panel_of(const Figure& figure, std::size_t index) {
  const Panel& panel = figure.panels[index];
  const Box paper = canvas(figure), place = cell(figure, index), area = plot_area(panel, place);
  Pen pen(paper, place, area, index + 1);
  pen.command("reset");
  pen.command("unset key");
  pen.command("set lmargin at screen {:.6f}", area.left / paper.width());
  pen.command("set rmargin at screen {:.6f}", area.right / paper.width());
  pen.command("set bmargin at screen {:.6f}", area.bottom / paper.height());
  pen.command("set tmargin at screen {:.6f}", area.top / paper.height());
  if (index == 0) pen.text(figure.title, 14, paper.top - 20, "left", kInk, 16);
  pen.text(panel.title, area.left, area.top + 15, "left", kInk, 14);
  std::visit([&](const auto& content) { draw(pen, panel, content); }, panel.content);
  return pen;
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const std::filesystem::path& svg,
                           const std::filesystem::path& png) {
  std::string data, commands;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Pen pen = panel_of(figure, i);
    data += pen.data();
    commands += pen.commands();
  }
  const Box paper = canvas(figure);
  const auto output = [&](const std::filesystem::path& path) {
    return fmt::format("set output {}\nset multiplot\n{}unset multiplot\nunset output\n",
                       literal(path.string()), commands);
  };
  // PNG has twice the pixels, for screens that show two to a point. Its fonts are in points of
  // 1/72 inch at 96 pixels an inch, those of SVG in pixels.
  return fmt::format(
      "set encoding utf8\n{}"
      "set terminal svg size {},{} enhanced font 'DejaVu Sans,{}' background '#ffffff'\n{}"
      "set terminal pngcairo size {},{} enhanced font 'DejaVu Sans,{}' fontscale 1.5 linewidth 2 "
      "dashlength 0.5 "
      "pointscale 2 background '#ffffff'\n{}",
      data, paper.width(), paper.height(), kTextSize, output(svg), 2 * paper.width(),
      2 * paper.height(), kTextSize, output(png));
}

}  // namespace phasor
