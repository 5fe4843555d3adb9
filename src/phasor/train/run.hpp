// A run: a folder with config.json, model.safetensors, checkpoint.safetensors and metrics.jsonl.
#pragma once
#include "phasor/train/evaluate.hpp"
#include "phasor/train/metrics.hpp"
#include "phasor/train/run_config.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// A trained model, as it was last saved.
struct Run {
  RunConfig config;
  CharTokenizer tokenizer;
  std::unique_ptr<Gpt> model;
};

/// `options` take the place of those of the scheme that the run was trained with: another scaling
/// of a rotation, for example. Throws CheckpointError when the folder holds no run or a damaged
/// one, ConfigError when the scheme has no such option.
Run load_run(const std::filesystem::path& folder, const OptionValues& options = {});
/// config.json alone.
RunConfig load_run_config(const std::filesystem::path& folder);
/// The same, for a run that is to be resumed: throws CheckpointError when its checkpoint belongs to
/// another config.json.
RunConfig load_resumed_config(const std::filesystem::path& folder);

/// Writes what load_run reads, config.json and model.safetensors, for a model that was trained
/// elsewhere than in train_run, and its records: `config` has its vocabulary and symbols. Takes the
/// place of a run that is there. Such a run is not resumed. Throws as train_run does.
void save_run(const std::filesystem::path& folder, const RunConfig& config, const Gpt& model,
              const std::vector<MetricsRecord>& records = {});
/// Removes a run. Its folder goes too unless it holds something else. Throws ConfigError when it is
/// in use.
void remove_run(const std::filesystem::path& folder);

enum class IfRunExists { refuse, resume, overwrite };

struct RunOptions {
  std::filesystem::path folder;
  IfRunExists if_exists = IfRunExists::refuse;
  std::size_t threads = 0;  // 0: all cores; the result does not depend on it
  /// Evaluate on the whole validation text at the end.
  bool final_evaluation = true;
  /// Told after every step: steps done and the step's loss.
  std::function<void(std::size_t step, double loss)> on_step = {};
  /// Told at every record.
  std::function<void(const MetricsRecord&)> on_record = {};
  /// Told during the evaluation at the end: the share that is done, from 0 to 1.
  std::function<void(double)> on_final_evaluation = {};
  /// Asked after every step; training stops when it says yes, to be resumed later.
  std::function<bool()> should_stop = {};
};

struct RunReport {
  std::vector<MetricsRecord> records;
  std::size_t resumed_at = 0;  // steps done before
  std::size_t steps_done = 0;
  std::size_t saved_step = 0;  // where a resumed run would start
  std::size_t parameter_count = 0;
};

/// Trains and writes into `folder`, at every evaluation and at the end, so that a run that is
/// stopped at any moment can be resumed from its last evaluation with the same numbers, bit for
/// bit, as an uninterrupted run. `config` gets vocabulary and fingerprint from `corpus`.
/// Throws ConfigError (a run is there, or the resumed one has another configuration, or the folder
/// is in use or holds files of others), CheckpointError, DataError, TrainingError; the files of the
/// last evaluation stay as they are.
RunReport train_run(RunConfig config, const Corpus& corpus, const RunOptions& options);

}  // namespace phasor::inline PHASOR_PRECISION
