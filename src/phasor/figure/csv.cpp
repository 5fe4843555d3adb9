#include "phasor/figure/csv.hpp"

#include <fmt/format.h>

namespace phasor {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

/// Writes the rows of one panel; `panel_` is its number.
class Rows {
 public:
  Rows(std::string& out, std::size_t panel) : out_(out), panel_(panel) {}

  void operator()(const LinePanel& content) {
    for (const Series& s : content.series)
      for (std::size_t i = 0; i < s.y.size(); ++i) {
        const double x = s.x.empty() ? static_cast<double>(i) : s.x[i];
        const std::string band =
            s.low.empty() ? std::string(",") : fmt::format("{},{}", s.low[i], s.high[i]);
        line("line", s.label, fmt::to_string(x), "", s.y[i], band);
      }
    for (const Reference& r : content.references) line("reference", r.label, "", "", r.y);
  }

  void operator()(const HeatmapPanel& content) {
    for (std::size_t i = 0; i < content.values.shape(0); ++i)
      for (std::size_t j = 0; j < content.values.shape(1); ++j)
        line("cell", "", place(content.column_labels, content.first_column, content.column_step, j),
             place(content.row_labels, content.first_row, content.row_step, i),
             content.values(i, j));
  }

  void operator()(const DialPanel& content) {
    for (const Dial& dial : content.dials)
      for (std::size_t i = 0; i < dial.angles.size(); ++i)
        line("hand", dial.label, content.hands[i], "", dial.angles[i]);
  }

  void operator()(const BarPanel& content) {
    for (const BarGroup& group : content.groups)
      for (std::size_t i = 0; i < group.values.size(); ++i)
        line("bar", group.label, content.categories[i], "", group.values[i]);
  }

  void operator()(const TablePanel& content) {
    for (std::size_t i = 0; i < content.rows.size(); ++i)
      for (std::size_t j = 0; j < content.columns.size(); ++j) {
        const Cell& cell = content.rows[i][j];
        const std::string x = fmt::to_string(j), row = fmt::to_string(i);
        if (cell.value)
          line("entry", content.columns[j].title, x, row, *cell.value);
        else
          line("entry", content.columns[j].title, x, row, quoted(cell.text));
      }
  }

  void operator()(const GraphPanel& content) {
    for (std::size_t i = 0; i < content.nodes.size(); ++i) {
      const GraphNode& node = content.nodes[i];
      line("node", node.label, fmt::to_string(node.column), fmt::to_string(i), quoted(node.detail));
    }
    for (const GraphArrow& arrow : content.arrows)
      line("arrow", "", fmt::to_string(arrow.from), fmt::to_string(arrow.to), quoted(arrow.label));
  }

 private:
  static std::string place(const std::vector<std::string>& labels, double first, double step,
                           std::size_t i) {
    return labels.empty() ? fmt::to_string(first + step * static_cast<double>(i)) : labels[i];
  }

  template <class Value>  // a number, or text that is quoted already
  void line(const char* kind, const std::string& name, const std::string& x, const std::string& row,
            const Value& value, const std::string& band = ",") {
    out_ += fmt::format("{},{},{},{},{},{},{}\n", panel_, kind, quoted(name), quoted(x),
                        quoted(row), value, band);
  }

  std::string& out_;
  std::size_t panel_;
};

}  // namespace

std::string to_csv(const Figure& figure) {
  std::string table = "panel,kind,name,x,row,value,low,high\n";
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    std::visit(Rows(table, i + 1), figure.panels[i].content);
  return table;
}

}  // namespace phasor
