// What config.json of a run says.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "phasor/data/corpus.hpp"
#include "phasor/data/tokenizer.hpp"
#include "phasor/model/config.hpp"
#include "phasor/train/trainer.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct RunConfig {
  std::string text = "toy";  // kjv, toy or a path, as load_corpus takes it
  GptConfig model = {};
  TrainConfig train = {};
  std::string symbols = {};      // the tokenizer's vocabulary
  std::string fingerprint = {};  // of the text, so that a resumed run notices another one
};

/// Fills in what follows from the text: vocabulary, symbols, fingerprint.
void describe_text(RunConfig& config, const std::string& text, const CharTokenizer& tokenizer);

nlohmann::json to_json(const RunConfig& config);
/// Throws CheckpointError when fields are missing or of another type: a default in the place of one
/// that was lost would be another model.
RunConfig run_config_from_json(const nlohmann::json& json);

/// What weights and checkpoint say of the config.json that they belong to: the digest of all its
/// fields but `text`, which is where the text lies and may be edited; its fingerprint says which
/// one it is.
std::string config_digest(nlohmann::json json);

}  // namespace phasor::inline PHASOR_PRECISION
