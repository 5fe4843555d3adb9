#include "phasor/train/metrics.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "phasor/core/digest.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/data/json.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const MetricsRecord& record) {
  Json json{{"step", record.step}};
  if (record.train_loss) json["train_loss"] = *record.train_loss;
  json["validation_loss"] = record.validation_loss;
  if (record.learning_rate) json["learning_rate"] = *record.learning_rate;
  if (record.gradient_norm) json["gradient_norm"] = *record.gradient_norm;
  if (record.final_loss) json["final_loss"] = *record.final_loss;
  return json.dump() + "\n";
}

MetricsRecord record_of(const Json& json) {
  const auto optional = [&json](const char* name) {
    return json.contains(name) ? std::optional(json.at(name).get<double>()) : std::nullopt;
  };
  const Json& step = json.at("step");
  // The library would convert 1.8e20, and -1 too.
  check<CheckpointError>(step.is_number_unsigned(), "step {} is no whole number from 0 on",
                         step.dump());
  return {.step = step.get<std::size_t>(),
          .train_loss = optional("train_loss"),
          .validation_loss = json.at("validation_loss").get<double>(),
          .learning_rate = optional("learning_rate"),
          .gradient_norm = optional("gradient_norm"),
          .final_loss = optional("final_loss")};
}

std::string lines_of(const std::vector<MetricsRecord>& records) {
  std::string text;
  for (const MetricsRecord& record : records) text += line_of(record);
  return text;
}

constexpr const char* kWayOut = "restore it, or train again with --overwrite";

}  // namespace

void write_metrics(const std::filesystem::path& path, const std::vector<MetricsRecord>& records) {
  write_into_folder(path, lines_of(records));
}

std::vector<MetricsRecord> read_metrics(const std::filesystem::path& path, std::size_t last_step) {
  std::vector<MetricsRecord> records;
  if (!std::filesystem::exists(path)) return records;
  std::istringstream lines(read_file(path));
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) try {
      ++number;
      const MetricsRecord record = record_of(parse_json<Json>(line));
      if (record.step <= last_step) records.push_back(record);
    } catch (const std::exception& problem) {
      throw CheckpointError(fmt::format("{} is damaged at line {}: {}; {}", path.string(), number,
                                        problem.what(), kWayOut));
    }
  return records;
}

std::string metrics_digest(const std::vector<MetricsRecord>& records) {
  return Digest().add(lines_of(records)).text();
}

void check_records(const std::filesystem::path& path, const std::vector<MetricsRecord>& records,
                   const RecordedSteps& recorded, std::size_t steps_done) {
  const auto [every, last] = recorded;
  const bool ends_between = steps_done == last && last % every != 0;
  const std::size_t wanted = steps_done / every + 1 + (ends_between ? 1 : 0);
  check<CheckpointError>(records.size() == wanted,
                         "{} has {} records up to step {}, expected {}: one at step 0, every {} "
                         "steps and at the end; {}",
                         path.string(), records.size(), steps_done, wanted, every, kWayOut);
  for (std::size_t i = 0; i < wanted; ++i) {
    const MetricsRecord& record = records[i];
    const std::size_t step = ends_between && i + 1 == wanted ? last : i * every;
    check<CheckpointError>(record.step == step, "{}: record {} is of step {}, expected step {}; {}",
                           path.string(), i + 1, record.step, step, kWayOut);
    const bool trained = step > 0;
    check<CheckpointError>(
        record.train_loss.has_value() == trained && record.learning_rate.has_value() == trained &&
            record.gradient_norm.has_value() == trained && (!record.final_loss || step == last),
        "{}: the record of step {} has other fields than a training writes; {}", path.string(),
        step, kWayOut);
  }
}

}  // namespace phasor::inline PHASOR_PRECISION
