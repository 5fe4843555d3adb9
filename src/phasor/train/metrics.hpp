// The record of a run: metrics.jsonl, one JSON object a line.
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "phasor/core/real.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// State after `step` steps. No times: two runs with the same seed write the same bytes.
struct MetricsRecord {
  std::size_t step = 0;
  /// Mean over the steps since the record before; absent at step 0. Nats per token.
  std::optional<double> train_loss = {};
  /// On a fixed part of the validation text. Nats per token.
  double validation_loss = 0;
  std::optional<double> learning_rate = {}, gradient_norm = {};  // of the last step
  /// On the whole validation text; only after the last step.
  std::optional<double> final_loss = {};
};

void write_metrics(const std::filesystem::path& path, const std::vector<MetricsRecord>& records);

/// The records up to `last_step`; none when there is no file. Whatever comes after the last whole
/// line of that range is left out: an interrupted run may have got further than its checkpoint.
/// Throws CheckpointError on a damaged line.
std::vector<MetricsRecord> read_metrics(const std::filesystem::path& path, std::size_t last_step);

}  // namespace phasor::inline PHASOR_PRECISION
