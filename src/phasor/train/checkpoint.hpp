// Weights on disk, and everything that a run needs to go on as if it had never stopped.
#pragma once
#include <filesystem>
#include <optional>

#include "phasor/train/safetensors.hpp"
#include "phasor/train/trainer.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// The parameters under their paths. `config` is the config_digest of the config.json beside the
/// file, which then belongs to that one alone. Throws TrainingError when a parameter is NaN or
/// infinite: such weights replace no good ones.
void save_weights(const std::filesystem::path& file, const Gpt& model,
                  const std::string& config = "");
/// Throws DataError when the file is missing, CheckpointError when it is damaged, belongs to
/// another model or holds a NaN or an infinity. The model is changed only when all parameters fit.
void load_weights(const std::filesystem::path& file, Gpt& model);

/// The file of weights, before a model is built for it: that would take long, and more memory than
/// there is, for a configuration of absurd sizes. Throws as load_weights does, and when the file
/// names another config_digest than `digest`; one that names none is from elsewhere.
TensorFile read_weights(const std::filesystem::path& file, const GptConfig& config,
                        const std::string& digest);
/// The rest of load_weights.
void set_weights(const std::filesystem::path& file, const TensorFile& weights, Gpt& model);

/// Training losses since the last record, whose mean the next one reports.
struct RunningLoss {
  double loss_sum = 0;
  std::size_t steps = 0;
};

/// What a checkpoint says besides the state of the trainer.
struct CheckpointNotes {
  RunningLoss running = {};
  std::string config = {};   // config_digest of the run
  std::string metrics = {};  // metrics_digest of the records so far
};

/// Parameters, both moments of AdamW ("adamw.first.PATH", "adamw.second.PATH") and, as metadata,
/// the number of steps and the notes. Random numbers need no state: each is named by seed and step
/// (Rng). Throws as save_weights does.
void save_checkpoint(const std::filesystem::path& file, Trainer& trainer,
                     const CheckpointNotes& notes = {});
/// Throws as load_weights does. The trainer is changed only when everything fits.
CheckpointNotes load_checkpoint(const std::filesystem::path& file, Trainer& trainer);

/// Throws CheckpointError when the file names another config_digest than `digest`, or is damaged.
void check_config(const std::filesystem::path& file, const std::string& digest);

}  // namespace phasor::inline PHASOR_PRECISION
