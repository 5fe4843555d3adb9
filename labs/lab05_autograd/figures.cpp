#include "labs/lab05_autograd/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "labs/common/training.hpp"

namespace phasor::lab05 {
namespace {

const std::string kH = "step h (in units of x)";
const std::string kError = "relative error of the gradient";

/// A straight line in the figure: `value` at `at`, growing with that power of h.
Series guide(const std::string& label, const std::vector<double>& h, double at, double value,
             double power, std::size_t colour) {
  Series series{.label = label, .y = {}, .x = h, .dashed = true, .colour_of = colour};
  for (const double step : h) series.y.push_back(value * std::pow(step / at, power));
  return series;
}

/// Errors on a logarithmic axis: what is exactly 0 has no place there.
Series measured(const std::string& label, const std::vector<double>& h,
                const std::vector<double>& errors) {
  Series series{.label = label, .y = errors, .x = h};
  for (double& error : series.y)
    if (error <= 0) error = std::nan("");
  return series;
}

Panel steps_panel(const std::string& title, const StepCurves& curves) {
  LinePanel panel{.series = {measured("central", curves.h, curves.central),
                             measured("one-sided", curves.h, curves.one_sided)},
                  .references = {},
                  .key = true};
  panel.series.push_back(guide("eps |L| / h", curves.h, 1, curves.rounding, -1, 2));
  if (!curves.wrong.empty()) {
    panel.series.push_back(measured("wrong backward", curves.h, curves.wrong));
    // Slopes 2 and 1 through the errors measured at the step next to 1/100.
    const auto at =
        std::min_element(curves.h.begin(), curves.h.end(),
                         [](double a, double b) {
                           return std::abs(std::log(a * 100)) < std::abs(std::log(b * 100));
                         }) -
        curves.h.begin();
    const auto i = static_cast<std::size_t>(at);
    panel.series.push_back(guide("h²", curves.h, curves.h[i], curves.central[i], 2, 0));
    panel.series.push_back(guide("h", curves.h, curves.h[i], curves.one_sided[i], 1, 1));
  }
  const double low = 0.3 * std::min(curves.central[best(curves.central)], curves.rounding);
  return {.title = title,
          .x = {.title = kH, .log_base = 10},
          .y = {.title = kError, .low = low, .high = 10, .log_base = 10},
          .content = panel};
}

std::string shape_text(const Array& value) {
  return value.dimension() == 0 ? "1 number" : fmt::format("{}", fmt::join(value.shape(), " x "));
}

/// A column for every node that `output` depends on: an op stands right of all it reads, a leaf
/// just left of the first op that reads it.
std::vector<std::size_t> columns_of(const Tape& tape, const std::vector<Id>& order) {
  std::vector<std::size_t> column(tape.size(), 0);
  for (auto id = order.rbegin(); id != order.rend(); ++id)
    for (const Id input : tape[*id].inputs) column[*id] = std::max(column[*id], column[input] + 1);
  std::vector<std::size_t> consumer(tape.size(), tape.size());
  for (const Id id : order)
    for (const Id input : tape[id].inputs) consumer[input] = std::min(consumer[input], column[id]);
  for (const Id id : order)
    if (!tape[id].backward) column[id] = consumer[id] - 1;
  return column;
}

GraphPanel graph_of(const Tape& tape, Id output, bool numbers) {
  std::vector<Id> order = tape.consumers_first(output);
  const std::vector<std::size_t> column = columns_of(tape, order);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> place(tape.size());
  GraphPanel panel;
  for (const Id id : order) {
    const Node& node = tape[id];
    place[id] = panel.nodes.size();
    GraphNode box{.column = column[id], .filled = !node.backward};
    box.label = numbers ? fmt::format("{} = {:g}", node.name, node.value()) : node.name;
    box.detail = numbers ? fmt::format("gradient {:g}", node.gradient()) : shape_text(node.value);
    panel.nodes.push_back(box);
    const std::vector<Array> back = tape.given_back(id);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      panel.arrows.push_back({place[node.inputs[i]], place[id],
                              numbers ? fmt::format("{:g}", back[i]()) : std::string()});
  }
  return panel;
}

/// What comes back to `leaf` from every place that read it.
std::vector<double> given_to(const Tape& tape, Id output, Id leaf) {
  std::vector<double> parts;
  std::vector<Id> order = tape.consumers_first(output);
  std::sort(order.begin(), order.end());
  for (const Id id : order) {
    const std::vector<Array> back = tape.given_back(id);
    for (std::size_t i = 0; i < back.size(); ++i)
      if (tape[id].inputs[i] == leaf) parts.push_back(back[i]());
  }
  return parts;
}

/// How many of the values that `output` depends on are leaves.
std::size_t leaves_of(const Tape& tape, Id output) {
  std::size_t count = 0;
  for (const Id id : tape.consumers_first(output)) count += !tape[id].backward;
  return count;
}

}  // namespace

Figure steps_figure(const StepCurves& in_double, const StepCurves& in_float) {
  const std::size_t central = best(in_double.central), one_sided = best(in_double.one_sided);
  const std::size_t single = best(in_float.central);
  const std::string numbers = fmt::format(
      "in double, central differences come within {:.0e} at h = {:.0e}, one-sided ones within "
      "{:.0e} at h = {:.0e}; in float, central ones within {:.0e} at h = {:.0e}",
      in_double.central[central], in_double.h[central], in_double.one_sided[one_sided],
      in_double.h[one_sided], in_float.central[single], in_float.h[single]);
  return {
      .id = "lab05-steps",
      .title = "How far differences are from the gradient of softmax, by their step",
      .caption = fmt::format(
          "Right of the lowest point the Taylor series leaves an error that falls with h^2 or h, "
          "left of it rounding makes one that grows with 1/h. At best {}. Against a wrong backward "
          "there is no V: its error is at least {:.1e} at every step.",
          numbers, in_double.wrong[best(in_double.wrong)]),
      .alt = fmt::format(
          "Two charts of relative error against step h, both axes logarithmic. Each measured "
          "curve is a V: {}. A wrong backward gives a line that is flat at {:.1e} for small steps.",
          numbers, in_double.wrong[best(in_double.wrong)]),
      .panels = {steps_panel("double precision", in_double),
                 steps_panel("float, the library's softmax", in_float)},
      .columns = 2};
}

Figure graph_figure(const Tape& small, Id y, const Tape& model, Id loss) {
  const std::vector<Id> all = small.consumers_first(y);
  const Id x = *std::min_element(all.begin(), all.end());
  const std::vector<double> parts = given_to(small, y, x);
  const std::string sum =
      fmt::format("({:g}) = {:g}", fmt::join(parts, ") + ("), small[x].gradient());
  const std::size_t leaves = leaves_of(model, loss);
  const std::size_t ops = model.consumers_first(loss).size() - leaves;
  return {
      .id = "lab05-graph",
      .title = "Two graphs as the tape holds them: leaves filled, operations not",
      .caption = fmt::format(
          "Above: y = x * x + x * w. The number on an arrow is what flows back along it; x is "
          "read {} times, and its gradient is {}. Below: the two-layer model of the "
          "experiment, {} operations on {} leaves, with the shapes of their values for one "
          "batch.",
          parts.size(), sum, ops, leaves),
      .alt = fmt::format(
          "Two graphs of boxes and arrows from left to right. In the first, x = {:g} has {} arrows "
          "that bring back {}. The second runs from two tables of embeddings over a "
          "product, layer norm, matrix products and a softmax to the cross entropy: {} "
          "operations, {} leaves.",
          small[x].value(), parts.size(), sum, ops, leaves),
      .panels = {{.title = "y = x * x + x * w", .content = graph_of(small, y, true)},
                 {.title = "the two-layer model", .content = graph_of(model, loss, false)}},
      .panel_width = 1300,
      .panel_height = 300};
}

Spread Trained::final_loss() const {
  std::vector<double> losses;
  for (const Curve& curve : curves) losses.push_back(curve.losses.back());
  return spread_of(losses);
}

Figure loss_figure(const std::vector<Trained>& models, const std::string& text) {
  LinePanel losses, gaps{.series = {}, .references = {}, .key = true};
  std::vector<std::string> ends;
  for (const Trained& model : models) {
    const std::size_t seeds = model.curves.size(), points = model.curves[0].losses.size();
    const auto loss = [&](std::size_t run, std::size_t i) { return model.curves[run].losses[i]; };
    losses.series.push_back(over_seeds(model.label, seeds, points, loss));
    gaps.series.push_back(
        over_seeds(model.label, seeds, points, [&](std::size_t run, std::size_t i) {
          const double gap = loss(run, i) - model.floor;
          return gap > 0 ? gap : std::nan("");  // a logarithm has no place for it
        }));
    losses.series.back().x = gaps.series.back().x = model.curves[0].steps;
    ends.push_back(fmt::format("{} at {:.3f}, {:.3f} above its floor", model.label,
                               model.final_loss().mean, model.final_loss().mean - model.floor));
  }
  const double one = models.front().floor, two = models.back().floor;
  losses.references = {{fmt::format("counted 1 back: {:.3f}", one), one},
                       {fmt::format("counted 2 back: {:.3f}", two), two}};
  const std::string numbers = fmt::format("{}", fmt::join(ends, "; "));
  const std::string floors = fmt::format("{:.3f} with one character, {:.3f} with two", one, two);
  const Axis steps{.title = "step", .low = 0};
  return {.id = "lab05-loss",
          .title = fmt::format("Models trained by your backward functions, on {}", text),
          .caption = fmt::format(
              "Loss on the text itself. A table counted from that text costs {} of context, and no "
              "model that sees as much can do better. At the end: {}. {}",
              floors, numbers, seeds_text(models[0].curves.size())),
          .alt = fmt::format(
              "Two line charts against step for {} models: the loss, and on a logarithmic axis how "
              "far it is above the loss of a counted table. All fall steeply at first. At the end: "
              "{}. Dashed lines mark the counted tables, {} of context.",
              models.size(), numbers, floors),
          .panels = {{.title = "loss",
                      .x = steps,
                      .y = {.title = "loss (nats per character)", .low = 0},
                      .content = losses},
                     {.title = "above the counted table",
                      .x = steps,
                      .y = {.title = "loss - floor (nats per character)", .log_base = 10},
                      .content = gaps}},
          .columns = 2,
          .panel_width = 640};
}

}  // namespace phasor::lab05
