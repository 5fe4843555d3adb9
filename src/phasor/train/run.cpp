#include "phasor/train/run.hpp"

#include <nlohmann/json.hpp>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/train/checkpoint.hpp"
#include "phasor/train/run_folder.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// How often a run that changes while it is read is read anew.
constexpr int kReadings = 10;

/// What is wrong with an option is, when it came from config.json, wrong with that file.
template <class Make>
auto naming_config(const ConfigFile& file, const Make& make) try {
  return make();
} catch (const Error& problem) {
  const std::string message = problem.what();
  if (message.starts_with(file.path.parent_path().string())) throw;  // says so already
  throw CheckpointError(fmt::format("{}: {}", file.path.string(), message));
}

RunConfig config_in(const ConfigFile& file) {
  return naming_config(file, [&] { return run_config_from_json(file.json()); });
}

/// What can be found wrong before anything is built of the sizes that the file names.
CharTokenizer checked_tokenizer(const ConfigFile& file, const RunConfig& config) {
  CharTokenizer tokenizer = naming_config(file, [&config] {
    config.model.validate();
    find_scheme(config.model.scheme);
    return CharTokenizer::from_symbols(config.symbols);
  });
  check<CheckpointError>(tokenizer.vocabulary_size() == config.model.vocabulary,
                         "{} is damaged: it has {} symbols for a vocabulary of {}; restore it or "
                         "train again",
                         file.path.string(), tokenizer.vocabulary_size(), config.model.vocabulary);
  return tokenizer;
}

Run load_run(const std::filesystem::path& folder, const ConfigFile& file,
             const OptionValues& options) {
  RunConfig config = config_in(file);
  const std::string digest = config_digest(file.json());
  CharTokenizer tokenizer = checked_tokenizer(file, config);
  const RunFiles files(folder);
  check<CheckpointError>(file.path == files.config && std::filesystem::exists(files.model),
                         "{} has no model.safetensors yet; its training stopped before the first "
                         "evaluation, continue it with --resume",
                         folder.string());
  const TensorFile weights = read_weights(files.model, config.model, digest);
  for (const auto& [name, value] : options) config.model.options[name] = value;
  if (!options.empty()) {  // what is wrong with them is not wrong with config.json
    Rng rng(0);
    make_scheme(config.model.scheme, config.model.options, config.model.sizes(), rng);
  }
  auto model = naming_config(file, [&config] {
    Rng rng(config.train.seed, "weights");
    return std::make_unique<Gpt>(config.model, rng);
  });
  set_weights(files.model, weights, *model);
  return {std::move(config), std::move(tokenizer), std::move(model)};
}

}  // namespace

RunConfig load_run_config(const std::filesystem::path& folder) {
  return config_in(read_config(folder));
}

RunConfig load_resumed_config(const std::filesystem::path& folder) {
  const ConfigFile file = read_config(folder);
  RunConfig config = config_in(file);
  const RunFiles files(folder);
  if (file.path == files.config && std::filesystem::exists(files.checkpoint))
    check_config(files.checkpoint, config_digest(file.json()));
  return config;
}

Run load_run(const std::filesystem::path& folder, const OptionValues& options) {
  for (int reading = 1;; ++reading) {
    const ConfigFile file = read_config(folder);
    try {
      return load_run(folder, file, options);
    } catch (const Error&) {
      // A run that is replaced between two of its files is whole when it is read again.
      if (reading == kReadings || read_config(folder).bytes == file.bytes) throw;
    }
  }
}

void save_run(const std::filesystem::path& path, const RunConfig& config, const Gpt& model,
              const std::vector<MetricsRecord>& records) {
  RunFolder folder(path);
  folder.begin(config);
  if (!records.empty()) write_metrics(folder.files().metrics, records);
  save_weights(folder.files().model, model, config_digest(to_json(config)));
  folder.check_still_there();
}

void remove_run(const std::filesystem::path& folder) { RunFolder(folder).remove(); }

}  // namespace phasor::inline PHASOR_PRECISION
