#include "phasor/train/metrics.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

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
  return {.step = json.at("step").get<std::size_t>(),
          .train_loss = optional("train_loss"),
          .validation_loss = json.at("validation_loss").get<double>(),
          .learning_rate = optional("learning_rate"),
          .gradient_norm = optional("gradient_norm"),
          .final_loss = optional("final_loss")};
}

}  // namespace

void write_metrics(const std::filesystem::path& path, const std::vector<MetricsRecord>& records) {
  std::string text;
  for (const MetricsRecord& record : records) text += line_of(record);
  write_file(path, text);
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
    } catch (const nlohmann::json::exception& problem) {
      throw CheckpointError(fmt::format("{} is damaged at line {}: {}; delete the line to go on",
                                        path.string(), number, problem.what()));
    }
  return records;
}

}  // namespace phasor::inline PHASOR_PRECISION
