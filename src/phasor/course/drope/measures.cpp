#include "phasor/course/drope/measures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

constexpr const char *kKept = "-rope", *kDropped = "-dropped", *kControl = "-none";

/// The records from step `first` on.
DropeArm arm_of(const std::string& label, const std::vector<fs::path>& runs,
                std::size_t first = 0) {
  DropeArm arm{.label = label};
  for (const fs::path& folder : runs) {
    const std::size_t last = load_run_config(folder).train.steps;
    std::vector<MetricsRecord> records = read_metrics(folder / "metrics.jsonl", last);
    std::erase_if(records, [first](const MetricsRecord& record) { return record.step < first; });
    if (arm.steps.empty()) arm.losses.resize(records.size());
    check<DataError>(
        records.size() == arm.losses.size(),
        "the runs beside {} were not recorded at the same steps; run labs/run 11 again",
        folder.string());
    arm.steps.clear();
    for (std::size_t i = 0; i < records.size(); ++i) {
      arm.steps.push_back(records[i].step);
      arm.losses[i].push_back(records[i].validation_loss);
    }
  }
  return arm;
}

}  // namespace

std::size_t DropeArm::record_at(std::size_t step) const {
  const auto found = std::find(steps.begin(), steps.end(), step);
  check<DataError>(found != steps.end(), "{} has no record after {} steps; run labs/run 11 again",
                   label, step);
  return static_cast<std::size_t>(found - steps.begin());
}

std::optional<std::size_t> DropeStudy::healed_after() const {
  const double level = before().mean;
  for (std::size_t i = 0; i < dropped.steps.size(); ++i)
    if (dropped.loss(i).mean <= level) return dropped.steps[i] - dropped_at;
  return std::nullopt;
}

std::optional<std::size_t> DropeStudy::control_steps_to(double loss) const {
  for (std::size_t i = 0; i < control.steps.size(); ++i)
    if (control.loss(i).mean <= loss) return control.steps[i];
  return std::nullopt;
}

std::optional<DropeStudy> drope_study(const fs::path& folder, const std::string& text,
                                      bool with_lengths) {
  const auto kept = runs_named(folder, text + kKept), dropped = runs_named(folder, text + kDropped),
             control = runs_named(folder, text + kControl);
  if (kept.empty() || dropped.empty() || control.empty()) return std::nullopt;
  const RunConfig config = load_run_config(dropped.front());
  DropeStudy study{.dropped_at = config.train.drop_positions_at,
                   .steps = config.train.steps,
                   .runs = dropped.size(),
                   .kept = arm_of("RoPE kept", kept),
                   .dropped = arm_of("RoPE dropped", dropped, config.train.drop_positions_at),
                   .control = arm_of("never any", control)};
  if (!with_lengths) return study;
  study.kept_length = length_curve("RoPE kept", kept);
  study.scaled_length =
      length_curve("kept, with NTK", kept,
                   {.options = [](std::size_t multiple) { return scaled("ntk", multiple); }});
  study.dropped_length = length_curve("RoPE dropped", dropped);
  study.control_length = length_curve("never any", control);
  return study;
}

LengthCurve with_temperature(const fs::path& folder, const std::string& text, double c) {
  return length_curve(fmt::format("c = {:g}", c), runs_named(folder, text + kDropped),
                      {.prepare = [c](Gpt& model) { model.drop_positions(c); }});
}

}  // namespace phasor
