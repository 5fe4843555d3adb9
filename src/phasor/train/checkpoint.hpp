// Weights on disk, and everything that a run needs to go on as if it had never stopped.
#pragma once
#include <filesystem>
#include <optional>

#include "phasor/train/safetensors.hpp"
#include "phasor/train/trainer.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// The parameters under their paths.
void save_weights(const std::filesystem::path& file, const Gpt& model);
/// Throws DataError when the file is missing, CheckpointError when it is damaged or belongs to
/// another model. The model is changed only when all parameters fit.
void load_weights(const std::filesystem::path& file, Gpt& model);

/// Training losses since the last record, whose mean the next one reports.
struct RunningLoss {
  double loss_sum = 0;
  std::size_t steps = 0;
};

/// Parameters, both moments of AdamW ("adamw.first.PATH", "adamw.second.PATH") and, as metadata,
/// the number of steps and the running loss. Random numbers need no state: each is named by seed
/// and step (Rng).
void save_checkpoint(const std::filesystem::path& file, Trainer& trainer,
                     const RunningLoss& running = {});
/// Throws as load_weights does. The trainer is changed only when everything fits.
RunningLoss load_checkpoint(const std::filesystem::path& file, Trainer& trainer);

}  // namespace phasor::inline PHASOR_PRECISION
