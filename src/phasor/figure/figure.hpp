// A figure is data first: numbers, words and how they belong together. What it looks like is
// decided in one place (script.cpp), so that all figures look alike; write.hpp turns it to files.
#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// One axis. Ends that are not given come from the data.
struct Axis {
  std::string title = {};                                  ///< with its unit: "position (tokens)"
  std::optional<double> low = {}, high = {};               ///< fixed ends
  int log_base = 0;                                        ///< 0 linear, 2 or 10 logarithmic
  std::vector<std::pair<double, std::string>> ticks = {};  ///< instead of automatic ticks
};

enum class Mark { kLine, kPoints, kLineAndPoints };

/// One curve. A value that is NaN leaves a gap.
struct Series {
  std::string label = {};
  std::vector<double> y = {};
  std::vector<double> x = {};               ///< empty: 0, 1, 2 ...
  std::vector<double> low = {}, high = {};  ///< a shaded band, for example over seeds
  Mark mark = Mark::kLine;
  bool dashed = false;
  /// The colour of the series with this index, here or in another panel, instead of its own: points
  /// measured on a curve, or the same thing shown twice.
  std::optional<std::size_t> colour_of = {};
};

/// A horizontal line with a meaning of its own, such as the floor under a loss.
struct Reference {
  std::string label = {};
  double y = 0;
};

/// Curves. At most seven: as many as there are colours that everyone can tell apart.
struct LinePanel {
  std::vector<Series> series = {};
  std::vector<Reference> references = {};
  /// Labels stand at the right end of their curve; with a key they stand in a list beside the
  /// panel, for curves whose right ends say nothing (waves, points).
  bool key = false;
};

enum class Palette {
  kDiverging,  ///< blue below zero, white, red above; symmetric about 0
  kViridis     ///< dark to light, for values with one direction
};

/// A matrix as colours, row 0 at the top. A value that is NaN is drawn grey.
struct HeatmapPanel {
  xt::xarray<double> values = {};  ///< [rows, columns]
  Palette palette = Palette::kDiverging;
  std::string value_title = {};               ///< beside the colour bar, with its unit
  std::optional<double> low = {}, high = {};  ///< ends of the colour bar, else from the data
  std::vector<std::string> row_labels = {}, column_labels = {};           ///< for example tokens
  double first_row = 0, row_step = 1, first_column = 0, column_step = 1;  ///< numbers on the axes
  int decimals = -1;    ///< 0 or more: print every value in its cell
  bool square = false;  ///< as wide as it is high, for a matrix against itself
};

/// One dial: a hand for every angle, from twelve o'clock, clockwise, in radians. With the pair
/// (sin a, cos a) of an encoding as (x, y) a hand's tip is where the pair is.
struct Dial {
  std::string label = {};
  std::vector<double> angles = {};
};

struct DialPanel {
  std::vector<Dial> dials = {};
  std::vector<std::string> hands = {};  ///< what each hand is, the same for all dials
  std::string hands_title = {};         ///< above the list of hands
  std::size_t columns = 4;
};

/// Bars side by side: for each category one bar of every group.
struct BarGroup {
  std::string label = {};
  std::vector<double> values = {};
};
struct BarPanel {
  std::vector<std::string> categories = {};
  std::vector<BarGroup> groups = {};
};

/// One entry of a table: what is written there, and the number it was made from, if any.
struct Cell {
  std::string text;
  std::optional<double> value = {};
  Cell(std::string words) : text(std::move(words)) {}
  Cell(const char* words) : text(words) {}
  Cell(std::string words, double number) : text(std::move(words)), value(number) {}
};

/// Text in columns under a header. Long text is broken into lines at blanks; the picture is as high
/// as its rows, unless the figure says otherwise. A table has no axes.
struct TablePanel {
  struct Column {
    std::string title = {};
    bool right = false;  ///< aligned at the right, for numbers with equal decimals
  };
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};  ///< a cell for every column
};

/// A box of a graph: a word, and what there is to say of it below.
struct GraphNode {
  std::string label = {}, detail = {};
  std::size_t column = 0;  ///< from the left; the nodes of a column stand below one another
  bool filled = false;     ///< to tell one kind of box from the other
};

/// An arrow from one node to another, by number. Several may join the same two.
struct GraphArrow {
  std::size_t from = 0, to = 0;
  std::string label = {};
};

/// Boxes joined by arrows, such as the graph of an expression. A graph has no axes.
struct GraphPanel {
  std::vector<GraphNode> nodes = {};
  std::vector<GraphArrow> arrows = {};
};

struct Panel {
  std::string title = {};
  Axis x = {}, y = {};
  std::variant<LinePanel, HeatmapPanel, DialPanel, BarPanel, TablePanel, GraphPanel> content = {};
};

/// What a reader can do with the page that is written beside a figure: its first panel must be a
/// heatmap, whose numbers the page shows.
enum class Interaction {
  kNone,    ///< there is no page
  kMatrix,  ///< positions against positions: the value under the pointer, pairs as far apart
  kViews    ///< an encoding as heatmap or waves, sliders for positions and dimensions
};

/// Everything there is to know about a figure. Caption and alt text are computed from the numbers
/// by whoever fills it in: the caption says what to see, the alt text says it without the picture.
struct Figure {
  std::string id = {};         ///< the name of its files: "lab01-heatmap"
  std::string claims_id = {};  ///< the figure of the documents it reproduces: "D3-F1"; may be empty
  std::string title = {};
  std::string caption = {};
  std::string alt = {};
  std::vector<Panel> panels = {};
  std::size_t columns = 1;  ///< panels are laid out row by row
  double panel_width = 0;   ///< pixels; 0 chooses by the number of columns
  double panel_height = 0;
  Interaction interaction = Interaction::kNone;
};

/// Throws ConfigError unless `id` is a file name of a-z, 0-9 and -.
void check_figure_id(const std::string& id);

/// Throws ConfigError naming the figure and the first thing that is missing or does not fit: an id
/// that is no file name, an empty caption, series of different lengths, too many curves.
void check_figure(const Figure& figure);

}  // namespace phasor
