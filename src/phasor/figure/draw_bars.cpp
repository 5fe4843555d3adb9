// Bars side by side, each with its value above it.
#include <algorithm>
#include <cmath>

#include "phasor/figure/palette.hpp"
#include "phasor/figure/pen.hpp"

namespace phasor {
namespace {

/// Categories that do not fit beside one another are written at a slant.
void name_categories(Pen& pen, const BarPanel& content, double slot) {
  double widest = 0;
  std::string list;
  for (std::size_t i = 0; i < content.categories.size(); ++i) {
    widest = std::max(widest, text_width(content.categories[i]));
    list += fmt::format("{}{} {}", i ? ", " : "", tick_label(content.categories[i]), i);
  }
  pen.command("set xtics ({}) noenhanced scale 0 {}", list,
              widest > slot ? "rotate by -25 font ',11'" : "norotate");
}

}  // namespace

void draw(Pen& pen, const Panel& panel, const BarPanel& content) {
  const Box& area = pen.area();
  const Range ys = y_range(content, panel.y);
  const auto categories = static_cast<double>(content.categories.size());
  const double slot = area.width() / categories;
  const auto groups = static_cast<double>(content.groups.size());
  const double width = 0.8 / groups;
  pen.axes(panel);
  name_categories(pen, content, slot);
  pen.command("unset grid; set grid ytics lt 1 lw 0.7 lc rgb '#dddddd'");
  pen.command("set xrange [-0.5:{}]", categories - 0.5);
  pen.command("set yrange [{}:{}]", ys.low, ys.high);
  std::string plots;
  std::vector<KeyEntry> key;
  for (std::size_t g = 0; g < content.groups.size(); ++g) {
    std::string rows;
    key.push_back({content.groups[g].label, line_colours()[g]});
    for (std::size_t i = 0; i < content.categories.size(); ++i) {
      const double value = content.groups[g].values[i];
      const double x = static_cast<double>(i) + (static_cast<double>(g) - (groups - 1) / 2) * width;
      rows += fmt::format("{} {}\n", x, number(value));
      // On a logarithmic axis a zero has no place; its number still stands at the bottom.
      const bool placed = panel.y.log_base == 0 || value > 0;
      const double share = placed ? std::clamp(share_of(value, ys, panel.y), 0.0, 1.0) : 0;
      const double beside = value < 0 && panel.y.log_base == 0 ? -9 : 9;
      if (std::isfinite(value))
        pen.text(fmt::format("{:.3g}", value), area.left + (x + 0.5) * slot,
                 area.bottom + share * area.height() + beside, "center", kInk, 11);
    }
    plots += fmt::format("{}{} using 1:2:({}) with boxes fs solid noborder fc rgb '{}'",
                         g ? ", " : "", pen.block(rows), 0.92 * width, line_colours()[g]);
  }
  if (key.size() > 1) pen.key(key);
  pen.command("plot {}", plots);
}

}  // namespace phasor
