// Dials with hands, drawn in pixels.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "phasor/figure/palette.hpp"
#include "phasor/figure/pen.hpp"

namespace phasor {
namespace {

/// Hands run from dark to light; the lightest yellow is left out, it cannot be seen on white.
std::string hand_colour(std::size_t hand, std::size_t count) {
  const double share = count > 1 ? static_cast<double>(hand) / static_cast<double>(count - 1) : 0;
  return colour_at(Palette::kViridis, 0.9 * share);
}

/// A circle as a closed curve: gnuplot's own circle is not drawn by every viewer of SVG.
std::string circle_rows(double x, double y, double radius) {
  constexpr int kCorners = 120;
  std::string rows;
  for (int i = 0; i <= kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCorners;
    rows +=
        fmt::format("{:.3f} {:.3f}\n", x + radius * std::sin(angle), y + radius * std::cos(angle));
  }
  return rows + "\n";  // an empty line ends a curve
}

void draw_dial(Pen& pen, const Dial& dial, double x, double y, double radius) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    const double angle = quarter * std::numbers::pi / 2;
    const double s = std::sin(angle), c = std::cos(angle);
    pen.stroke(x + 0.93 * radius * s, y + 0.93 * radius * c, x + radius * s, y + radius * c,
               kFaint);
  }
  for (std::size_t i = 0; i < dial.angles.size(); ++i) {
    // Hands that lie on one another stay visible: the first is the thickest and the shortest.
    const double place = static_cast<double>(i) / static_cast<double>(dial.angles.size());
    const double length = radius * (0.65 + 0.25 * place);
    pen.stroke(x, y, x + length * std::sin(dial.angles[i]), y + length * std::cos(dial.angles[i]),
               hand_colour(i, dial.angles.size()), 5.5 - 3.5 * place);
  }
  pen.text(dial.label, x, y - radius - kLineHeight * 0.8, "center");
}

}  // namespace

void draw(Pen& pen, const Panel&, const DialPanel& content) {
  const Box& area = pen.area();
  pen.command("unset border; unset tics; unset colorbox");
  pen.command("set xrange [0:{}]", area.width());
  pen.command("set yrange [0:{}]", area.height());
  const std::size_t columns = std::min(content.columns, content.dials.size());
  const std::size_t rows = (content.dials.size() + columns - 1) / columns;
  const double wide = area.width() / static_cast<double>(columns);
  const double high = area.height() / static_cast<double>(rows);
  const double radius = std::max(10.0, std::min(wide - 16, high - 2 * kLineHeight - 4) / 2);
  std::string circles;
  for (std::size_t i = 0; i < content.dials.size(); ++i) {
    const double x = area.left + wide * (static_cast<double>(i % columns) + 0.5);
    const double y = area.top - high * static_cast<double>(i / columns) - radius - 4;
    draw_dial(pen, content.dials[i], x, y, radius);
    circles += circle_rows(x - area.left, y - area.bottom, radius);
  }
  double y = area.top - kLineHeight / 2;
  pen.text(content.hands_title, area.right + 8, y);
  for (std::size_t i = 0; i < content.hands.size(); ++i) {
    y -= kLineHeight;
    pen.stroke(area.right + 8, y, area.right + 30, y, hand_colour(i, content.hands.size()), 4);
    pen.text(content.hands[i], area.right + 36, y);
  }
  pen.command("plot {} using 1:2 with lines lw 1.2 lc rgb '{}'", pen.block(circles), kFaint);
}

}  // namespace phasor
