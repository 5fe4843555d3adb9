#include "phasor/figure/pen.hpp"

#include <cmath>

#include "phasor/figure/markup.hpp"

namespace phasor {
namespace {

/// Ticks at given places, or automatic ones that read well on this axis.
std::string ticks(const Axis& axis, char name) {
  if (axis.ticks.empty()) {
    if (axis.log_base == 10) return fmt::format("set format {} '10^{{%L}}'", name);
    return fmt::format("set format {} '%g'", name);
  }
  std::string list;
  for (const auto& [place, label] : axis.ticks)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", tick_label(label), number(place));
  return fmt::format("set {}tics ({}) noenhanced", name, list);
}

}  // namespace

std::string literal(std::string_view text) {
  std::string result = "'";
  for (const char c : drawable(text)) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::string tick_label(std::string_view text) {
  std::string format;
  for (const char c : text) format += c == '%' ? std::string("%%") : std::string(1, c);
  return literal(format);
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::to_string(value) : std::string("NaN");
}

std::string Pen::at(double x, double y) const {
  return fmt::format("screen {:.6f},screen {:.6f}", x / paper_.width(), y / paper_.height());
}

std::string Pen::block(const std::string& rows) {
  const std::string name = fmt::format("$p{}d{}", panel_, ++blocks_);
  data_ += fmt::format("{} << EOD\n{}EOD\n", name, rows);
  return name;
}

void Pen::text(std::string_view words, double x, double y, std::string_view anchor,
               std::string_view colour, double size) {
  command("set label {} at {} {} front noenhanced tc rgb '{}' font ',{}'", literal(words), at(x, y),
          anchor, colour, size);
}

void Pen::upright(std::string_view words, double x) {
  command("set label {} at {} center rotate by 90 front noenhanced tc rgb '{}'", literal(words),
          at(x, (area_.bottom + area_.top) / 2), kInk);
}

void Pen::stroke(double x0, double y0, double x1, double y1, std::string_view colour, double width,
                 std::string_view dash) {
  command("set arrow from {} to {} nohead lw {} dt {} lc rgb '{}'", at(x0, y0), at(x1, y1), width,
          dash, colour);
}

void Pen::axes(const Panel& panel) {
  command("set border 3 lc rgb '{}' lw 1", kFaint);
  command("set tics out nomirror tc rgb '{}' scale 0.6", kInk);
  command("set grid lt 1 lw 0.7 lc rgb '#dddddd'");
  text(panel.x.title, (area_.left + area_.right) / 2, area_.bottom - 45, "center");
  upright(panel.y.title, cell_.left + 16);
  for (const auto& [axis, name] : {std::pair{&panel.x, 'x'}, std::pair{&panel.y, 'y'}}) {
    if (axis->log_base > 0) command("set logscale {} {}", name, axis->log_base);
    command("{}", ticks(*axis, name));
  }
}

void Pen::dot(double x, double y, std::string_view colour) {
  command("set label '' at {} front point {} lc rgb '{}'", at(x, y), kDot, colour);
}

void Pen::key(const std::vector<KeyEntry>& entries) {
  const double left = area_.right + 8, right = area_.right + 30;
  double y = area_.top - kLineHeight / 2;
  for (const KeyEntry& entry : entries) {
    if (entry.mark != Mark::kPoints)
      stroke(left, y, right, y, entry.colour, 2.5, entry.dashed ? "2" : "1");
    if (entry.mark != Mark::kLine) dot((left + right) / 2, y, entry.colour);
    text(entry.text, area_.right + 36, y);
    y -= kLineHeight;
  }
}

}  // namespace phasor
