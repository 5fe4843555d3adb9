#include "labs/lab12_bake_off/figures.hpp"

#include <algorithm>
#include <cmath>

namespace phasor::lab12 {
namespace {

/// Every other head dashed, so that equal ones can be seen.
LinePanel by_head(const xt::xarray<double>& values) {
  LinePanel panel;
  for (std::size_t h = 0; h < values.shape(0); ++h) {
    Series series{.label = fmt::format("head {}", h), .dashed = h % 2 == 1};
    for (std::size_t d = 0; d < values.shape(1); ++d) series.y.push_back(values(h, d));
    panel.series.push_back(series);
  }
  panel.key = true;
  return panel;
}

/// The distance at which a row is highest.
std::size_t peak(const xt::xarray<double>& values, std::size_t row) {
  std::size_t best = 0;
  for (std::size_t d = 0; d < values.shape(1); ++d)
    if (values(row, d) > values(row, best)) best = d;
  return best;
}

double mean(const OverSeeds& values) { return spread_of(values).mean; }

/// Loss minus that of `none` at the same length: a row a scheme, two columns.
HeatmapPanel loss_map(const std::vector<Row>& rows, std::size_t context) {
  const auto none =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.scheme == "none"; });
  HeatmapPanel map{.values = xt::xarray<double>::from_shape({rows.size(), std::size_t{2}}),
                   .value_title = "loss minus that of none (nats)",
                   .low = -1,
                   .high = 1,
                   .column_labels = {fmt::to_string(context), fmt::to_string(4 * context)},
                   .decimals = 2};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    map.row_labels.push_back(rows[i].scheme);
    map.values(i, 0) = mean(rows[i].near) - mean(none->near);
    map.values(i, 1) = mean(rows[i].far) - mean(none->far);
  }
  return map;
}

/// Share of right answers: a row for each scheme that was trained on tasks.
HeatmapPanel task_map(const std::vector<Row>& rows, std::size_t task) {
  std::vector<const Row*> trained;
  for (const Row& row : rows)
    if (!row.tasks.empty()) trained.push_back(&row);
  const TaskPlan& plan = task_plans()[task];
  HeatmapPanel map{.values = xt::xarray<double>::from_shape({trained.size(), plan.tested.size()}),
                   .palette = Palette::kViridis,
                   .value_title = "share of answers right",
                   .low = 0,
                   .high = 1,
                   .decimals = 2};
  for (const std::size_t length : plan.tested) map.column_labels.push_back(fmt::to_string(length));
  for (std::size_t i = 0; i < trained.size(); ++i) {
    map.row_labels.push_back(trained[i]->scheme);
    for (std::size_t j = 0; j < plan.tested.size(); ++j)
      map.values(i, j) = mean(trained[i]->tasks[task][j]);
  }
  return map;
}

/// "copy at 12: rope 0.95, mine 0.90, none 0.10": the best three at twice the trained length.
std::string best_at_twice(const std::vector<Row>& rows, std::size_t task) {
  const TaskPlan& plan = task_plans()[task];
  const auto at = static_cast<std::size_t>(
      std::find(plan.tested.begin(), plan.tested.end(), 2 * plan.trained) - plan.tested.begin());
  std::vector<std::pair<double, std::string>> order;
  for (const Row& row : rows)
    if (!row.tasks.empty() && !std::isnan(mean(row.tasks[task][at])))
      order.emplace_back(-mean(row.tasks[task][at]), row.scheme);
  std::sort(order.begin(), order.end());
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i)
    parts.push_back(fmt::format("{} {:.2f}", order[i].second, -order[i].first));
  return fmt::format("{} at {}: {}", name_of(plan.task), 2 * plan.trained, fmt::join(parts, ", "));
}

/// The scheme with the lowest or highest loss at a length, as "rope, 1.234".
std::string extreme(const std::vector<Row>& rows, OverSeeds Row::*losses, bool lowest) {
  const Row* found = nullptr;
  for (const Row& row : rows) {
    if (std::isnan(mean(row.*losses))) continue;
    const bool better = found && (lowest ? mean(row.*losses) < mean(found->*losses)
                                         : mean(row.*losses) > mean(found->*losses));
    if (!found || better) found = &row;
  }
  return fmt::format("{}, {:.2f}", found->scheme, mean(found->*losses));
}

std::string without_encoding(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows)
    if (std::isnan(mean(row.far))) names.push_back(row.scheme);
  return names.empty() ? ""
                       : fmt::format(" Grey: {} has no encoding so far.", fmt::join(names, ", "));
}

}  // namespace

Figure mine_figure(const xt::xarray<double>& score, const xt::xarray<double>& weights,
                   const std::string& idea) {
  const std::size_t heads = weights.shape(0), last = weights.shape(1) - 1;
  std::vector<std::string> peaks;
  for (std::size_t h = 0; h < heads; ++h) {
    const std::size_t at = peak(weights, h);
    peaks.push_back(fmt::format("{:.3g} at distance {} in head {}", weights(h, at), at, h));
  }
  const std::string numbers = fmt::format("The largest weights are {}", fmt::join(peaks, ", "));
  const Axis distance{.title = "distance (tokens)"};
  return {
      .id = "lab12-mine",
      .title = fmt::format("Your scheme before training: {}", idea),
      .caption = fmt::format("What is left when content says nothing, that is, when queries and "
                             "keys are all ones: the logits at each distance, and the weights "
                             "that a query with {} keys before it makes of them. {}.",
                             last, numbers),
      .alt = fmt::format("Two line charts over distance, one line for each of {} heads: logits, "
                         "and weights on a logarithmic axis. {}.",
                         heads, numbers),
      .panels =
          {{.title = "logits", .x = distance, .y = {.title = "logit"}, .content = by_head(score)},
           {.title = "weights",
            .x = distance,
            .y = {.title = "share of attention", .log_base = 10},
            .content = by_head(weights)}},
      .columns = 2};
}

Figure bake_off_figure(const std::vector<Row>& rows, const Corpus& corpus, std::size_t context) {
  std::vector<std::string> tasks;
  std::vector<Panel> panels{{.title = fmt::format("loss on {}", short_name(corpus)),
                             .x = {.title = "window (characters)"},
                             .content = loss_map(rows, context)}};
  for (std::size_t task = 0; task < task_plans().size(); ++task) {
    const TaskPlan& plan = task_plans()[task];
    tasks.push_back(best_at_twice(rows, task));
    panels.push_back(
        {.title = fmt::format("{}, trained up to {}", name_of(plan.task), plan.trained),
         .x = {.title = plan.task == Task::addition ? "digits" : "letters"},
         .content = task_map(rows, task)});
  }
  const std::string numbers = fmt::format(
      "Loss at {}: lowest {}, highest {}. At {}: lowest {}, highest {}. Right answers at twice the "
      "trained length, the best three: {}.",
      context, extreme(rows, &Row::near, true), extreme(rows, &Row::near, false), 4 * context,
      extreme(rows, &Row::far, true), extreme(rows, &Row::far, false), fmt::join(tasks, "; "));
  return {.id = "lab12-bake-off",
          .title = fmt::format("{} schemes, the same budget", rows.size()),
          .caption = fmt::format("{}{}", numbers, without_encoding(rows)),
          .alt = fmt::format("Four heatmaps with a row for each scheme: loss against that of none "
                             "at two lengths, and the share of right answers by length for copy, "
                             "reverse and addition. {}{}",
                             numbers, without_encoding(rows)),
          .panels = panels,
          .columns = 2,
          .panel_height = 420};
}

}  // namespace phasor::lab12
