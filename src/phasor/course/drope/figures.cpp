#include "phasor/course/drope/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/course/band.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

/// The records from step `first` to step `last`.
Series series_of(const DropeArm& arm, std::size_t first, std::size_t last, std::size_t runs) {
  Series series{.label = arm.label, .mark = Mark::kLineAndPoints};
  for (std::size_t i = 0; i < arm.steps.size(); ++i)
    if (arm.steps[i] >= first && arm.steps[i] <= last)
      append(series, static_cast<double>(arm.steps[i]), arm.loss(i), runs);
  return series;
}

Series series_of(const LengthCurve& curve) {
  Series series{.label = curve.label, .mark = Mark::kLineAndPoints};
  for (std::size_t i = 0; i < curve.multiples.size(); ++i)
    append(series, static_cast<double>(curve.multiples[i] * curve.trained), curve.loss(i),
           curve.runs());
  return series;
}

constexpr std::size_t kDroppedsColour = 1, kFreeColour = 4;

/// Kept, dropped and control are the first three, here and among the windows, and NTK is the
/// fourth: that makes their colours.
Panel steps_panel(const DropeStudy& study, const std::string& title, std::size_t first,
                  std::size_t last) {
  LinePanel lines;
  for (const DropeArm* arm : {&study.kept, &study.dropped, &study.control})
    lines.series.push_back(series_of(*arm, first, last, study.runs));
  lines.references = {{fmt::format("before {:.2f}", study.before().mean), study.before().mean}};
  double most = 0;
  for (const Series& series : lines.series)
    for (const auto* values : {&series.y, &series.high})
      for (const double y : *values) most = std::max(most, y);
  return {
      .title = title,
      .x = {.title = "step", .low = static_cast<double>(first), .high = static_cast<double>(last)},
      .y = {.title = "validation loss (nats per character)", .low = 0, .high = 1.05 * most},
      .content = lines};
}

Panel length_panel(const std::string& title, const std::vector<const LengthCurve*>& curves,
                   double most) {
  LinePanel lines;
  for (const LengthCurve* curve : curves) lines.series.push_back(series_of(*curve));
  const LengthCurve& any = *curves.front();
  Axis axis{.title = "window (characters)",
            .low = static_cast<double>(any.trained),
            .high = 1.02 * static_cast<double>(any.trained * any.multiples.back()),
            .log_base = 2};
  for (const std::size_t multiple : any.multiples)
    axis.ticks.emplace_back(static_cast<double>(multiple * any.trained),
                            fmt::to_string(multiple * any.trained));
  return {.title = title,
          .x = axis,
          .y = {.title = "loss (nats per character)", .low = 0, .high = 1.05 * most},
          .content = lines};
}

/// The first of the temperatures changes nothing: it is the dropped model, in its colour and by its
/// name. The others have colours that no model has.
Panel temperature_panel(const DropeStudy& study, const std::vector<const LengthCurve*>& curves,
                        double most) {
  Panel panel = length_panel("dropped, with a temperature c", curves, most);
  auto& series = std::get<LinePanel>(panel.content).series;
  series.front().label = study.dropped.label;
  for (std::size_t i = 0; i < series.size(); ++i)
    series[i].colour_of = i == 0 ? kDroppedsColour : kFreeColour + i - 1;
  return panel;
}

std::string longest(const std::vector<const LengthCurve*>& curves) {
  std::vector<std::string> parts;
  for (const LengthCurve* curve : curves)
    parts.push_back(
        fmt::format("{} {:.2f}", curve->label, curve->loss(curve->multiples.size() - 1).mean));
  return fmt::format("{}", fmt::join(parts, ", "));
}

double highest(const std::vector<const LengthCurve*>& curves) {
  double most = 0;
  for (const LengthCurve* curve : curves)
    for (std::size_t i = 0; i < curve->multiples.size(); ++i)
      most = std::max(most, curve->loss(i).most);
  return most;
}

std::string story_of(const DropeStudy& study) {
  const auto healed = study.healed_after();
  return fmt::format(
      "RoPE goes after {} of {} steps: the loss jumps from {:.2f} to {:.2f} and {}. At the end: "
      "RoPE kept {:.3f}, dropped {:.3f}, never any {:.3f}",
      study.dropped_at, study.steps, study.before().mean, study.after().mean,
      healed ? fmt::format("is back after {} steps", *healed) : std::string("does not come back"),
      study.kept.last().mean, study.dropped.last().mean, study.control.last().mean);
}

}  // namespace

Figure drope_figure(const DropeStudy& study, const std::vector<LengthCurve>& temperatures) {
  const std::vector<const LengthCurve*> curves{&study.kept_length, &study.dropped_length,
                                               &study.control_length, &study.scaled_length};
  std::vector<const LengthCurve*> warmer;
  for (const LengthCurve& curve : temperatures) warmer.push_back(&curve);
  const std::size_t rest = study.steps - study.dropped_at;
  const std::size_t zoom = std::min(rest, study.dropped_at) / 2;
  const std::string story = story_of(study), far = longest(curves), tuned = longest(warmer);
  const std::size_t longest_window = study.kept_length.trained * study.kept_length.multiples.back();
  const double most = std::max(highest(curves), highest(warmer));
  return {
      .id = "lab11-drope",
      .claims_id = "D2-F4",
      .title = "RoPE as training wheels: dropped on the way, and what it leaves",
      .caption = fmt::format(
          "{}. In windows of {} characters: {}. The dropped model with its logits times 1 + c "
          "ln(l/L): {}. Loss {}.",
          story, longest_window, far, tuned,
          study.runs == 1
              ? std::string("of one seed, so a small difference may be noise")
              : fmt::format("over {} seeds, the bands from the least to the most", study.runs)),
      .alt = fmt::format(
          "Four line charts. Validation loss against steps, whole and around the drop, for RoPE "
          "kept, RoPE dropped and a model that never had it: {}. Loss against window length: in "
          "the longest windows {}; with a temperature {}.",
          story, far, tuned),
      .panels = {steps_panel(study, "the whole training", 0, study.steps),
                 steps_panel(study, "around the drop", study.dropped_at - zoom,
                             study.dropped_at + zoom),
                 length_panel("longer windows", curves, most),
                 temperature_panel(study, warmer, most)},
      .columns = 2};
}

std::vector<FigureEntry> drope_figures() {
  return {{"D2-F4", "lab11", "RoPE as training wheels: drop it, spike, recovery, longer windows",
           [](const std::filesystem::path& results) {
             const std::filesystem::path folder = results / "lab11" / "runs";
             const auto study = drope_study(folder, "toy", true);
             check<DataError>(study.has_value(), "there is no run {}; make it with: labs/run 11",
                              (folder / "toy-dropped-1").string());
             std::vector<LengthCurve> temperatures;
             for (const double c : kTemperatures)
               temperatures.push_back(with_temperature(folder, "toy", c));
             return drope_figure(*study, temperatures);
           }}};
}

}  // namespace phasor
