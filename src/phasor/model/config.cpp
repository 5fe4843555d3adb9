#include "phasor/model/config.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

template <class Kind>
using Words = std::vector<std::pair<std::string, Kind>>;

const Words<NormKind> kNorms{{"layer", NormKind::layer}, {"rms", NormKind::rms}};
const Words<Activation> kActivations{{"gelu_tanh", Activation::gelu_tanh},
                                     {"gelu_erf", Activation::gelu_erf},
                                     {"relu", Activation::relu},
                                     {"silu", Activation::silu}};
const Words<EmbeddingScale> kScales{{"auto", EmbeddingScale::as_scheme_asks},
                                    {"on", EmbeddingScale::on},
                                    {"off", EmbeddingScale::off}};

template <class Kind>
Kind parse(const Words<Kind>& words, const std::string& word, const char* option) {
  std::vector<std::string> known;
  for (const auto& [name, kind] : words) {
    if (name == word) return kind;
    known.push_back(name);
  }
  throw ConfigError(
      fmt::format("unknown {} '{}'; choose one of {}", option, word, fmt::join(known, ", ")));
}

template <class Kind>
std::string word_for(const Words<Kind>& words, Kind kind) {
  for (const auto& [name, known] : words)
    if (known == kind) return name;
  return words.front().first;
}

constexpr std::size_t kMostLayers = 1024;

/// Bytes of the weights, and of one window in the residual stream: what any model of these extents
/// needs at least. A real number: the product of whole ones may not fit.
double least_bytes(const GptConfig& config) {
  const auto real = [](std::size_t extent) { return static_cast<double>(extent); };
  const double C = real(config.width), matrices = 4 + 2 * real(config.mlp_ratio);
  const double rows = real(config.vocabulary) + real(config.sizes().context);
  return (C * rows + real(config.layers) * matrices * C * C) * sizeof(Real);
}

/// Throws where that is more than the machine has: to find out by trying takes minutes.
void check_memory(const GptConfig& config) {
  const double bytes = least_bytes(config);
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  check<ConfigError>(bytes <= memory,
                     "a model of --width {}, --layers {}, --mlp-ratio {} and --context {} needs at "
                     "least {:.3g} GB, this machine has {:.3g} GB; choose smaller ones",
                     config.width, config.layers, config.mlp_ratio, config.sizes().context,
                     bytes / 1e9, memory / 1e9);
}

}  // namespace

void GptConfig::validate() const {
  const auto positive = [](std::size_t value, const char* name) {
    check<ConfigError>(value > 0, "--{} must be at least 1, got 0", name);
  };
  positive(width, "width");
  positive(heads, "heads");
  positive(layers, "layers");
  positive(context, "context");
  positive(mlp_ratio, "mlp-ratio");
  check<ConfigError>(layers <= kMostLayers, "--layers must be at most {}, got {}", kMostLayers,
                     layers);
  check_memory(*this);
  check<ConfigError>(vocabulary > 0, "the vocabulary is empty; give a text with characters in it");
  check<ConfigError>(width % heads == 0,
                     "--width {} is not divisible by --heads {}; choose --width {} or other heads",
                     width, heads, (width / heads + 1) * heads);
  check<ConfigError>(random_positions == 0 || random_positions >= context,
                     "--random-positions must be at least the --context of {}, or 0 for none, got "
                     "{}",
                     context, random_positions);
  check<ConfigError>(dropout >= 0 && dropout < 1,
                     "--dropout must be at least 0 and below 1, got {}", dropout);
}

NormKind parse_norm(const std::string& word) { return parse(kNorms, word, "norm"); }
Activation parse_activation(const std::string& word) {
  return parse(kActivations, word, "activation");
}
EmbeddingScale parse_embedding_scale(const std::string& word) {
  return parse(kScales, word, "embedding scale");
}

nlohmann::json to_json(const GptConfig& config) {
  return {{"vocabulary", config.vocabulary},
          {"width", config.width},
          {"heads", config.heads},
          {"layers", config.layers},
          {"context", config.context},
          {"mlp_ratio", config.mlp_ratio},
          {"dropout", config.dropout},
          {"causal", config.causal},
          {"norm", word_for(kNorms, config.norm)},
          {"activation", word_for(kActivations, config.activation)},
          {"tied", config.tied},
          {"embedding_scale", word_for(kScales, config.embedding_scale)},
          {"scheme", config.scheme},
          {"options", config.options},
          {"random_positions", config.random_positions}};
}

std::size_t count_from_json(const nlohmann::json& json) {
  check<CheckpointError>(json.is_number_unsigned(),
                         "a configuration has {} where a whole number belongs; restore config.json",
                         json.dump());
  return json.get<std::size_t>();
}

GptConfig config_from_json(const nlohmann::json& json) try {
  GptConfig config;
  const auto read = [&json](const char* name, auto& field) {
    if (json.contains(name)) json.at(name).get_to(field);
  };
  std::string norm = "layer", activation = "gelu_tanh", scale = "auto";
  const auto read_count = [&json](const char* name, std::size_t& field) {
    if (json.contains(name)) field = count_from_json(json.at(name));
  };
  check<CheckpointError>(json.is_object(),
                         "the model's configuration is no JSON object; restore config.json");
  read_count("vocabulary", config.vocabulary);
  read_count("width", config.width);
  read_count("heads", config.heads);
  read_count("layers", config.layers);
  read_count("context", config.context);
  read_count("mlp_ratio", config.mlp_ratio);
  read_count("random_positions", config.random_positions);
  read("dropout", config.dropout);
  read("causal", config.causal);
  read("norm", norm);
  read("activation", activation);
  read("tied", config.tied);
  read("embedding_scale", scale);
  read("scheme", config.scheme);
  if (json.contains("options"))
    for (const auto& [name, value] : json.at("options").items())
      config.options[name] = value.is_string() ? value.get<std::string>() : value.dump();
  config.norm = parse_norm(norm);
  config.activation = parse_activation(activation);
  config.embedding_scale = parse_embedding_scale(scale);
  return config;
} catch (const nlohmann::json::exception& problem) {
  throw CheckpointError(
      fmt::format("the model's configuration is damaged: {}; train again, or "
                  "restore config.json",
                  problem.what()));
}

}  // namespace phasor::inline PHASOR_PRECISION
