#include "phasor/train/run_config.hpp"

#include <nlohmann/json.hpp>

#include "phasor/core/digest.hpp"
#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

std::string fingerprint_of(const std::string& text) {
  return fmt::format("{} bytes, {}", text.size(), Digest().add(text).text());
}

/// config_from_json takes defaults for what is missing, as Python and tests want; a run may not.
GptConfig model_from_json(const nlohmann::json& json) {
  const nlohmann::json known = to_json(GptConfig());
  for (const auto& [name, value] : known.items())
    check<CheckpointError>(!json.is_object() || json.contains(name),
                           "the model's configuration has no '{}'; restore config.json or train "
                           "again",
                           name);
  return config_from_json(json);
}

nlohmann::json to_json(const TrainConfig& train) {
  return {{"batch", train.batch},
          {"accumulate", train.accumulate},
          {"steps", train.steps},
          {"lr", train.lr},
          {"min_lr", train.min_lr},
          {"warmup", train.warmup},
          {"weight_decay", train.weight_decay},
          {"beta1", train.beta1},
          {"beta2", train.beta2},
          {"clip", train.clip},
          {"seed", train.seed},
          {"drop_positions_at", train.drop_positions_at},
          {"eval_every", train.eval_every},
          {"eval_tokens", train.eval_tokens}};
}

TrainConfig train_from_json(const nlohmann::json& json) {
  TrainConfig train;
  train.batch = count_from_json(json.at("batch"));
  train.accumulate = count_from_json(json.at("accumulate"));
  train.steps = count_from_json(json.at("steps"));
  json.at("lr").get_to(train.lr);
  json.at("min_lr").get_to(train.min_lr);
  train.warmup = count_from_json(json.at("warmup"));
  json.at("weight_decay").get_to(train.weight_decay);
  json.at("beta1").get_to(train.beta1);
  json.at("beta2").get_to(train.beta2);
  json.at("clip").get_to(train.clip);
  train.seed = count_from_json(json.at("seed"));
  train.drop_positions_at = count_from_json(json.at("drop_positions_at"));
  train.eval_every = count_from_json(json.at("eval_every"));
  train.eval_tokens = count_from_json(json.at("eval_tokens"));
  return train;
}

}  // namespace

void describe_text(RunConfig& config, const std::string& text, const CharTokenizer& tokenizer) {
  config.model.vocabulary = tokenizer.vocabulary_size();
  config.symbols = tokenizer.symbols();
  config.fingerprint = fingerprint_of(text);
}

nlohmann::json to_json(const RunConfig& config) {
  return {{"text", config.text},
          {"model", to_json(config.model)},
          {"train", to_json(config.train)},
          {"symbols", config.symbols},
          {"fingerprint", config.fingerprint}};
}

RunConfig run_config_from_json(const nlohmann::json& json) try {
  RunConfig config;
  json.at("text").get_to(config.text);
  config.model = model_from_json(json.at("model"));
  config.train = train_from_json(json.at("train"));
  json.at("symbols").get_to(config.symbols);
  json.at("fingerprint").get_to(config.fingerprint);
  return config;
} catch (const nlohmann::json::exception& problem) {
  throw CheckpointError(
      fmt::format("the run's configuration is damaged: {}; restore config.json or train again",
                  problem.what()));
}

std::string config_digest(nlohmann::json json) {
  json.erase("text");
  return Digest().add(json.dump()).text();
}

}  // namespace phasor::inline PHASOR_PRECISION
