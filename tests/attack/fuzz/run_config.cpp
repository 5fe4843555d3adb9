#include "phasor/train/run_config.hpp"

#include "phasor/core/error.hpp"
#include "phasor/data/json.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace phasor::attack {
namespace {

void read(std::string_view bytes) {
  nlohmann::json json;
  try {
    json = parse_json(bytes);
  } catch (const nlohmann::json::exception& problem) {
    throw CheckpointError(problem.what());
  }
  const RunConfig config = run_config_from_json(json);
  config.train.validate();
  config.model.validate();
}

std::vector<std::string> valid() {
  RunConfig config;
  config.text = "toy";
  describe_text(config, "a text", CharTokenizer::from_text("a text"));
  const std::string plain = to_json(config).dump();
  config.model.scheme = "rope";
  config.model.options = {{"scaling", "yarn:4"}, {"base", "500"}};
  return {plain, to_json(config).dump(2)};
}

}  // namespace

Reader run_config_reader() { return {"run-config", read, valid, 2048}; }

}  // namespace phasor::attack
