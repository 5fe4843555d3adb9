#include "phasor/course/training/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/course/band.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

std::string over(std::size_t seeds) {
  return seeds == 1
             ? "One seed, so a small difference may be noise."
             : fmt::format("Means of {} seeds; bands reach from the least to the most.", seeds);
}

Series by_depth(const Ablation& ablation, const std::string& label, Spread AblationRow::*what) {
  Series series{.label = label, .mark = Mark::kLineAndPoints};
  for (const AblationRow& row : ablation.rows)
    append(series, static_cast<double>(row.layers), row.*what, ablation.seeds);
  return series;
}

Panel ablation_panel(const Ablation& ablation) {
  LinePanel lines{
      .series = {by_depth(ablation, ablation.scheme, &AblationRow::with),
                 by_depth(ablation, "none", &AblationRow::without),
                 by_depth(ablation, "taken away", &AblationRow::taken_away)},
      .references = {{fmt::format("frequencies {:.2f}", ablation.blind), ablation.blind}}};
  if (ablation.floor)
    lines.references.push_back({fmt::format("entropy {:.2f}", *ablation.floor), *ablation.floor});
  Axis depth{.title = "layers"};
  for (const AblationRow& row : ablation.rows)
    depth.ticks.emplace_back(static_cast<double>(row.layers), fmt::to_string(row.layers));
  return {.title = ablation.causal ? "causal: the next character"
                                   : "unmasked: blanks, seen from both sides",
          .x = depth,
          .y = {.title = "loss (nats per character)", .low = 0},
          .content = std::move(lines)};
}

/// "2.10, 1.80 and 1.75" of the rows of an ablation.
std::string losses(const Ablation& ablation, Spread AblationRow::*what) {
  std::vector<std::string> parts;
  for (const AblationRow& row : ablation.rows)
    parts.push_back(fmt::format("{:.2f}", (row.*what).mean));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string depths(const Ablation& ablation) {
  std::vector<std::size_t> layers;
  for (const AblationRow& row : ablation.rows) layers.push_back(row.layers);
  return fmt::format("{}", fmt::join(layers, ", "));
}

std::string ablation_words(const Ablation& ablation) {
  return fmt::format(
      "{}, with {} layers: {} with {}, {} trained without, {} with it taken away "
      "after training",
      ablation.causal ? "Causal" : "Unmasked", depths(ablation),
      losses(ablation, &AblationRow::with), ablation.scheme,
      losses(ablation, &AblationRow::without), losses(ablation, &AblationRow::taken_away));
}

std::string outcome(const Ablation& ablation) {
  return breaks(ablation) ? "learns next to nothing" : "learns all the same";
}

/// The validation losses that runs recorded, over seeds.
Series curve_of(const std::vector<fs::path>& folders, const std::string& label) {
  std::vector<std::vector<MetricsRecord>> runs;
  for (const fs::path& folder : folders)
    runs.push_back(read_metrics(folder / "metrics.jsonl", std::size_t(-1)));
  Series series{.label = label};
  for (std::size_t i = 0; i < runs.front().size(); ++i) {
    std::vector<double> values;
    for (const auto& records : runs) values.push_back(records.at(i).validation_loss);
    append(series, static_cast<double>(runs.front()[i].step), spread_of(values), runs.size());
  }
  return series;
}

/// What a figure of curves is drawn from: names of runs, and what they are called.
struct Named {
  std::string run, label;
};

/// Loss against steps of several kinds of runs, and the entropy of their text under it.
Figure curves_figure(const fs::path& runs, const std::vector<Named>& kinds) {
  LinePanel panel{.key = true};
  std::vector<std::string> ends;
  std::size_t seeds = 0;
  RunConfig config;
  for (const auto& [name, label] : kinds) {
    const auto folders = runs_named(runs, name);
    if (folders.empty()) continue;
    seeds = folders.size();
    config = load_run_config(folders.front());
    panel.series.push_back(curve_of(folders, label));
    ends.push_back(fmt::format("{} {:.3f}", label, panel.series.back().y.back()));
  }
  check<DataError>(!panel.series.empty(), "there are no runs {}-1 in {}; labs/run 06 trains them",
                   kinds.front().run, runs.string());
  const std::string words = fmt::format("{}", fmt::join(ends, ", "));
  Figure figure;
  figure.caption = fmt::format("Validation loss on {} after {:.0f} steps: {}. {}", config.text,
                               panel.series.front().x.back(), words, over(seeds));
  figure.alt = fmt::format("Line chart of validation loss against step, {} lines. They end at: {}.",
                           panel.series.size(), words);
  if (const auto floor = load_corpus(config.text, config.train.seed).entropy_floor) {
    panel.references = {{fmt::format("entropy {:.3f}", *floor), *floor}};
    figure.alt += fmt::format(" A horizontal line marks the entropy, {:.3f}.", *floor);
  }
  figure.panels = {{.x = {.title = "step", .low = 0},
                    .y = {.title = "loss (nats per character)", .low = 0},
                    .content = std::move(panel)}};
  return figure;
}

FigureEntry entry(std::string id, std::string title,
                  std::function<Figure(const fs::path& runs)> make) {
  return {.id = std::move(id),
          .lab = "lab06",
          .title = std::move(title),
          .make = [make = std::move(make)](const fs::path& results) {
            return make(results / "lab06" / "runs");
          }};
}

}  // namespace

Figure ablation_figure(const Ablation& causal, const Ablation& unmasked) {
  check<DataError>(!causal.rows.empty() && !unmasked.rows.empty(),
                   "there are no runs of the ablation; labs/run 06 trains them");
  const std::string words =
      fmt::format("{}. {}.", ablation_words(causal), ablation_words(unmasked));
  return {.id = "lab06-ablation",
          .claims_id = "D2-F3",
          .title = "Remove the encoding: what breaks",
          .caption = fmt::format(
              "Trained without positions, a causal model {}, and one that sees both sides {} (a "
              "reader that knows how often characters occur pays {:.2f}). {} {}",
              outcome(causal), outcome(unmasked), causal.blind, words, over(causal.seeds)),
          .alt = fmt::format("Two line charts of loss against depth, three lines each. {} Dashed: "
                             "the loss of knowing only how often characters occur, {:.2f}.",
                             words, causal.blind),
          .panels = {ablation_panel(causal), ablation_panel(unmasked)},
          .columns = 2};
}

Figure mini_gpt_figure(const fs::path& runs) {
  Figure figure = curves_figure(
      runs, {{mini_gpt_name(true), "encoding on"}, {mini_gpt_name(false), "encoding off"}});
  figure.id = "lab06-mini-gpt";
  figure.claims_id = "D3-M";
  figure.title = fmt::format("The Mini-GPT of {} tokens, its encoding on and off", kMiniGptContext);
  const auto& series = std::get<LinePanel>(figure.panels[0].content).series;
  if (series.size() == 2 && series[0].y.back() > series[1].y.back())
    figure.caption += fmt::format(
        " On ends above off: after so few steps ({:.0f}) the model has not begun to use its "
        "encoding. labs/run 06 --full trains longer.",
        series[0].x.back());
  return figure;
}

Figure rivals_figure(const fs::path& runs) {
  Figure figure = curves_figure(
      runs, {{rival_name("sinusoidal"), "sinusoidal"}, {rival_name("learned"), "learned"}});
  figure.id = "lab06-rivals";
  figure.title = "Learned positions against sinusoidal ones, small models";
  return figure;
}

Figure probe_figure(const std::vector<PositionProbe>& probes) {
  LinePanel panel{.key = true};
  std::vector<std::string> words;
  for (const PositionProbe& probe : probes) {
    panel.series.push_back({.label = probe.scheme, .y = probe.error, .mark = Mark::kLineAndPoints});
    words.push_back(fmt::format("{} {:.1f}", probe.scheme, fmt::join(probe.error, ", ")));
  }
  for (std::size_t i = 0; i < probes.size(); ++i)
    panel.series.push_back({.label = probes[i].scheme + ", shuffled",
                            .y = probes[i].shuffled,
                            .dashed = true,
                            .colour_of = i});
  const double guess = probes.front().guess;
  panel.references = {{fmt::format("guess {:.1f}", guess), guess}};
  Axis layer{.title = "where in the model"};
  for (std::size_t i = 0; i < probes.front().error.size(); ++i)
    layer.ticks.emplace_back(static_cast<double>(i),
                             i == 0 ? "token + position" : fmt::format("block {}", i));
  const std::string numbers = fmt::format("{}", fmt::join(words, "; "));
  return {
      .id = "lab06-probe",
      .title = "How far off a linear map is that reads the position",
      .caption = fmt::format(
          "Mean error in positions on unseen text, from the input to behind the last block: {}. "
          "Guessing the middle of the window is off by {:.1f}; dashed, the same fit to shuffled "
          "positions.",
          numbers, guess),
      .alt = fmt::format("Line chart of the probe's error in positions by layer: {}. A "
                         "reference line at {:.1f} is the error of guessing the middle.",
                         numbers, guess),
      .panels = {
          {.x = layer, .y = {.title = "mean error (positions)", .low = 0}, .content = panel}}};
}

std::vector<FigureEntry> training_figures() {
  return {entry("D2-F3", "remove the encoding: the loss by depth, causal and not",
                [](const fs::path& runs) {
                  return ablation_figure(measure_ablation(runs, true, kRemoved),
                                         measure_ablation(runs, false, kRemoved));
                }),
          entry("D3-M", "the Mini-GPT of 128 tokens, its additive encoding on and off",
                mini_gpt_figure)};
}

}  // namespace phasor
