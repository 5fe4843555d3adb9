// What the parts of a gnuplot script share: places in pixels, words, strokes.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "phasor/figure/layout.hpp"

namespace phasor {

inline constexpr std::string_view kInk = "#222222";
inline constexpr std::string_view kFaint = "#666666";

/// `text`, drawable (markup.hpp), as a string of gnuplot's in which nothing has a special meaning.
std::string literal(std::string_view text);

/// The same for a label at a tick, which gnuplot takes for a format of the number there.
std::string tick_label(std::string_view text);

/// One line of a key.
struct KeyEntry {
  std::string text, colour;
  Mark mark = Mark::kLine;
  bool dashed = false;
};

/// A dot, of a curve or beside it in a key.
inline constexpr std::string_view kDot = "pt 7 ps 0.6";

/// Collects the data blocks and the commands of one panel.
class Pen {
 public:
  Pen(const Box& paper, const Box& cell, const Box& area, std::size_t panel)
      : paper_(paper), cell_(cell), area_(area), panel_(panel) {}

  const Box& area() const { return area_; }
  /// "screen x,screen y" of a point in pixels.
  std::string at(double x, double y) const;

  template <class... Args>
  void command(fmt::format_string<Args...> format, Args&&... args) {
    commands_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  /// Stores rows of numbers and returns the name of the block: "$p1d2".
  std::string block(const std::string& rows);

  /// Text whose middle is at height y; `anchor` is left, center or right.
  void text(std::string_view words, double x, double y, std::string_view anchor = "left",
            std::string_view colour = kInk, double size = kTextSize);
  /// Text that reads upwards, half way up the panel.
  void upright(std::string_view words, double x);
  void stroke(double x0, double y0, double x1, double y1, std::string_view colour,
              double width = 1.5, std::string_view dash = "1");
  /// The frame of a panel with two axes: margins, titles of the axes, grid and ticks.
  void axes(const Panel& panel);
  void dot(double x, double y, std::string_view colour);
  /// A list at the right of the panel, from its top: how each thing is drawn, and its name.
  void key(const std::vector<KeyEntry>& entries);

  const std::string& data() const { return data_; }
  const std::string& commands() const { return commands_; }

 private:
  Box paper_, cell_, area_;
  std::size_t panel_, blocks_ = 0;
  std::string data_, commands_;
};

/// A number as gnuplot reads it.
std::string number(double value);

void draw(Pen& pen, const Panel& panel, const LinePanel& content);
void draw(Pen& pen, const Panel& panel, const HeatmapPanel& content);
void draw(Pen& pen, const Panel& panel, const DialPanel& content);
void draw(Pen& pen, const Panel& panel, const BarPanel& content);
void draw(Pen& pen, const Panel& panel, const TablePanel& content);
void draw(Pen& pen, const Panel& panel, const GraphPanel& content);

}  // namespace phasor
