#include "phasor/figure/figure.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/figure/palette.hpp"

namespace phasor {
namespace {

bool is_file_name(const std::string& id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool any_finite(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

void check_content(const LinePanel& panel, const std::string& who) {
  check<ConfigError>(!panel.series.empty() && panel.series.size() <= line_colours().size(),
                     "[figure {}] a panel holds 1 to {} curves, got {}; use more panels", who,
                     line_colours().size(), panel.series.size());
  for (const Series& s : panel.series) {
    check<ConfigError>(s.colour_of.value_or(0) < line_colours().size(),
                       "[figure {}] curve '{}' wants the colour of curve {}; there are {} colours",
                       who, s.label, s.colour_of.value_or(0), line_colours().size());
    check<ConfigError>(any_finite(s.y), "[figure {}] curve '{}' has no finite value to draw", who,
                       s.label);
    check<ConfigError>(s.x.empty() || s.x.size() == s.y.size(),
                       "[figure {}] curve '{}' has {} x for {} y; give one each or no x", who,
                       s.label, s.x.size(), s.y.size());
    check<ConfigError>(
        s.low.size() == s.high.size() && (s.low.empty() || s.low.size() == s.y.size()),
        "[figure {}] the band of curve '{}' has {} low and {} high for {} y; give one "
        "each or none",
        who, s.label, s.low.size(), s.high.size(), s.y.size());
  }
}

void check_content(const HeatmapPanel& panel, const std::string& who) {
  const xt::xarray<double>& values = panel.values;
  check<ConfigError>(
      values.dimension() == 2 && values.size() > 0,
      "[figure {}] a heatmap needs a matrix with rows and columns, got {} axes and {} "
      "values",
      who, values.dimension(), values.size());
  check<ConfigError>(any_finite({values.begin(), values.end()}),
                     "[figure {}] the heatmap has no finite value to draw", who);
  const auto fits = [](const std::vector<std::string>& labels, std::size_t extent) {
    return labels.empty() || labels.size() == extent;
  };
  check<ConfigError>(
      fits(panel.row_labels, values.shape(0)) && fits(panel.column_labels, values.shape(1)),
      "[figure {}] the heatmap is {} x {} but has {} row and {} column labels; give "
      "one each or none",
      who, values.shape(0), values.shape(1), panel.row_labels.size(), panel.column_labels.size());
}

void check_content(const DialPanel& panel, const std::string& who) {
  check<ConfigError>(!panel.dials.empty() && panel.columns > 0,
                     "[figure {}] a panel of dials needs a dial and a column", who);
  for (const Dial& dial : panel.dials)
    check<ConfigError>(dial.angles.size() == panel.hands.size(),
                       "[figure {}] dial '{}' has {} hands, {} are named; give one name each", who,
                       dial.label, dial.angles.size(), panel.hands.size());
}

void check_content(const BarPanel& panel, const std::string& who) {
  check<ConfigError>(
      !panel.categories.empty() && !panel.groups.empty() &&
          panel.groups.size() <= line_colours().size(),
      "[figure {}] a panel of bars needs categories and 1 to {} groups, got {} and {}", who,
      line_colours().size(), panel.categories.size(), panel.groups.size());
  for (const BarGroup& group : panel.groups)
    check<ConfigError>(group.values.size() == panel.categories.size() && any_finite(group.values),
                       "[figure {}] group '{}' has {} bars for {} categories; give one each", who,
                       group.label, group.values.size(), panel.categories.size());
}

void check_content(const TablePanel& panel, const std::string& who) {
  check<ConfigError>(!panel.columns.empty() && !panel.rows.empty(),
                     "[figure {}] a table needs columns and rows, got {} and {}", who,
                     panel.columns.size(), panel.rows.size());
  for (const auto& row : panel.rows)
    check<ConfigError>(row.size() == panel.columns.size(),
                       "[figure {}] a row of the table has {} cells for {} columns; give one each",
                       who, row.size(), panel.columns.size());
}

void check_content(const GraphPanel& panel, const std::string& who) {
  check<ConfigError>(!panel.nodes.empty(), "[figure {}] a graph needs a node", who);
  for (const GraphArrow& arrow : panel.arrows)
    check<ConfigError>(
        arrow.from < panel.nodes.size() && arrow.to < panel.nodes.size() &&
            panel.nodes[arrow.from].column < panel.nodes[arrow.to].column,
        "[figure {}] an arrow goes from node {} to node {} of {}; arrows go to a column further "
        "right",
        who, arrow.from, arrow.to, panel.nodes.size());
}

}  // namespace

void check_figure_id(const std::string& id) {
  check<ConfigError>(is_file_name(id),
                     "[figure] the id must be a file name of a-z, 0-9 and -, got '{}'; for example "
                     "lab01-heatmap",
                     id);
}

void check_figure(const Figure& figure) {
  check_figure_id(figure.id);
  check<ConfigError>(!figure.title.empty() && !figure.caption.empty() && !figure.alt.empty(),
                     "[figure {}] title, caption and alt text must not be empty; say what there is "
                     "to see",
                     figure.id);
  check<ConfigError>(!figure.panels.empty() && figure.columns > 0,
                     "[figure {}] needs at least one panel and one column", figure.id);
  for (const Panel& panel : figure.panels)
    std::visit([&](const auto& content) { check_content(content, figure.id); }, panel.content);
  const auto* first = std::get_if<HeatmapPanel>(&figure.panels[0].content);
  check<ConfigError>(figure.interaction == Interaction::kNone || first != nullptr,
                     "[figure {}] an interactive figure needs a heatmap as its first panel",
                     figure.id);
  check<ConfigError>(figure.interaction != Interaction::kMatrix ||
                         first->values.shape(0) == first->values.shape(1),
                     "[figure {}] a matrix of positions against positions must be square, got {}",
                     figure.id, first ? first->values.shape(0) : 0);
}

}  // namespace phasor
