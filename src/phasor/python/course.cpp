// Claims with what was measured of them, and the data of figures.
#include <pybind11/stl/filesystem.h>

#include "phasor/core/error.hpp"
#include "phasor/core/text.hpp"
#include "phasor/course/audit.hpp"
#include "phasor/course/decomposition/measures.hpp"
#include "phasor/course/figures.hpp"
#include "phasor/figure/csv.hpp"
#include "phasor/figure/palette.hpp"
#include "phasor/python/bindings.hpp"
#include "phasor/python/model.hpp"

namespace phasor::python {
namespace {

using namespace pybind11::literals;

py::dict described(const Claim& claim) {
  return py::dict("id"_a = claim.id, "document"_a = claim.document, "statement"_a = claim.statement,
                  "lab"_a = claim.lab, "figure"_a = claim.figure);
}

py::list listed_claims() {
  py::list rows;
  for (const Claim& claim : claims()) rows.append(described(claim));
  return rows;
}

py::dict measured(const std::string& id, const std::filesystem::path& results) {
  std::vector<std::string> ids;
  for (const Claim& claim : claims()) {
    ids.push_back(claim.id);
    if (claim.id != id) continue;
    Evidence evidence;
    evidence.results = results;
    const AuditedClaim audit = without_lock([&] { return audited(claim, evidence); });
    py::dict numbers;
    for (const auto& [name, value] : audit.finding.numbers) numbers[py::str(name)] = value;
    py::dict row = described(claim);
    row["verdict"] = std::string(name_of(audit.finding.verdict));
    row["measured"] = audit.finding.measured;
    row["numbers"] = numbers;
    return row;
  }
  throw ConfigError(fmt::format("there is no claim '{}'; {} is nearest; phasor.claims() lists all",
                                id, nearest(id, ids)));
}

py::dict described(const Axis& axis) {
  return py::dict("title"_a = axis.title, "low"_a = axis.low, "high"_a = axis.high,
                  "log_base"_a = axis.log_base, "ticks"_a = axis.ticks);
}

void add_content(py::dict& panel, const LinePanel& lines) {
  panel["kind"] = "lines";
  py::list series, references;
  for (const Series& line : lines.series)
    series.append(py::dict("label"_a = line.label, "x"_a = line.x, "y"_a = line.y,
                           "low"_a = line.low, "high"_a = line.high,
                           "points"_a = line.mark != Mark::kLine,
                           "line"_a = line.mark != Mark::kPoints, "dashed"_a = line.dashed,
                           "colour_of"_a = line.colour_of));
  for (const Reference& reference : lines.references)
    references.append(py::dict("label"_a = reference.label, "y"_a = reference.y));
  panel["series"] = series;
  panel["references"] = references;
}

void add_content(py::dict& panel, const HeatmapPanel& map) {
  panel["kind"] = "heatmap";
  panel["values"] = map.values;
  panel["palette"] = map.palette == Palette::kDiverging ? "diverging" : "viridis";
  panel["value_title"] = map.value_title;
  panel["low"] = map.low;
  panel["high"] = map.high;
  panel["row_labels"] = map.row_labels;
  panel["column_labels"] = map.column_labels;
  panel["rows"] = py::make_tuple(map.first_row, map.row_step);
  panel["columns"] = py::make_tuple(map.first_column, map.column_step);
  panel["decimals"] = map.decimals;
}

void add_content(py::dict& panel, const DialPanel& content) {
  panel["kind"] = "dials";
  py::list dials;
  for (const Dial& dial : content.dials)
    dials.append(py::dict("label"_a = dial.label, "angles"_a = dial.angles));
  panel["dials"] = dials;
  panel["hands"] = content.hands;
}

void add_content(py::dict& panel, const BarPanel& bars) {
  panel["kind"] = "bars";
  panel["categories"] = bars.categories;
  py::list groups;
  for (const BarGroup& group : bars.groups)
    groups.append(py::dict("label"_a = group.label, "values"_a = group.values));
  panel["groups"] = groups;
}

void add_content(py::dict& panel, const TablePanel& table) {
  panel["kind"] = "table";
  py::list columns, rows;
  for (const TablePanel::Column& column : table.columns) columns.append(column.title);
  for (const std::vector<Cell>& cells : table.rows) {
    py::list row;
    for (const Cell& cell : cells)
      row.append(cell.value ? py::object(py::float_(*cell.value)) : py::object(py::str(cell.text)));
    rows.append(row);
  }
  panel["header"] = columns;
  panel["rows"] = rows;
}

void add_content(py::dict& panel, const GraphPanel& graph) {
  panel["kind"] = "graph";
  py::list nodes, arrows;
  for (const GraphNode& node : graph.nodes)
    nodes.append(py::dict("label"_a = node.label, "detail"_a = node.detail));
  for (const GraphArrow& arrow : graph.arrows)
    arrows.append(py::make_tuple(arrow.from, arrow.to, arrow.label));
  panel["nodes"] = nodes;
  panel["arrows"] = arrows;
}

py::dict described(const Figure& figure) {
  py::list panels;
  for (const Panel& panel : figure.panels) {
    py::dict row("title"_a = panel.title, "x"_a = described(panel.x), "y"_a = described(panel.y));
    std::visit([&](const auto& content) { add_content(row, content); }, panel.content);
    panels.append(row);
  }
  return py::dict("id"_a = figure.id, "documents_id"_a = figure.claims_id, "title"_a = figure.title,
                  "caption"_a = figure.caption, "alt"_a = figure.alt, "columns"_a = figure.columns,
                  "panels"_a = panels, "csv"_a = to_csv(figure));
}

py::list listed_figures() {
  py::list rows;
  for (const FigureEntry& entry : figures_of_documents())
    rows.append(py::dict("id"_a = entry.id, "lab"_a = entry.lab, "title"_a = entry.title));
  return rows;
}

/// A table in two parts has one id, and two figures.
py::list made(const std::string& id, const std::filesystem::path& results) {
  py::list figures;
  std::vector<std::string> ids;
  for (const FigureEntry& entry : figures_of_documents()) {
    ids.push_back(entry.id);
    if (entry.id == id)
      figures.append(described(without_lock([&] { return entry.make(results); })));
  }
  check<ConfigError>(!figures.empty(),
                     "there is no figure '{}'; {} is nearest; phasor.figures() lists all", id,
                     nearest(id, ids));
  return figures;
}

/// The terms of every head of the first layer on a text.
py::list taken_apart(const Model& model, const std::string& text) {
  model.tokenizer();
  FirstLayer layer = without_lock([&] { return take_apart(model.run(), text); });
  py::list heads;
  for (std::size_t h = 0; h < layer.heads.size(); ++h) {
    py::dict terms;
    for (std::size_t i = 0; i < kTermNames.size(); ++i)
      terms[py::str(std::string(kTermNames[i]))] = *layer.heads[h].all()[i];
    heads.append(
        py::dict("terms"_a = terms, "logits"_a = layer.logits[h], "weights"_a = layer.weights[h]));
  }
  return heads;
}

}  // namespace

void bind_course(py::module_& module) {
  module.def("claims", listed_claims);
  module.def("measure_claim", measured, "id"_a, "results"_a);
  module.def("figures", listed_figures);
  module.def("make_figure", made, "id"_a, "results"_a);
  module.def(
      "take_apart", taken_apart, "model"_a, "text"_a,
      "Scores of the first layer of a model with an additive encoding, by head: terms (four\n"
      "arrays [T, T] by name), logits and weights as the model computed them.");
  module.def("line_colours", line_colours, "Okabe and Ito's colours without the yellow.");
  module.def(
      "palette",
      [](const std::string& name) {
        check<ConfigError>(name == "diverging" || name == "viridis",
                           "there is no palette '{}'; choose diverging or viridis", name);
        return stops(name == "viridis" ? Palette::kViridis : Palette::kDiverging);
      },
      "name"_a, "Eleven colours from the lowest value to the highest.");
}

}  // namespace phasor::python
