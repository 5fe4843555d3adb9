// The record of a run: metrics.jsonl, one JSON object a line.
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
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

/// A JSON object a line, written whole or not at all, into a folder that is there. Throws DataError
/// when it cannot be written.
void write_metrics(const std::filesystem::path& path, const std::vector<MetricsRecord>& records);

/// The records up to `last_step`; none when there is no file. Whatever comes after the last whole
/// line of that range is left out: an interrupted run may have got further than its checkpoint.
/// Throws CheckpointError on a damaged line.
std::vector<MetricsRecord> read_metrics(const std::filesystem::path& path, std::size_t last_step);

/// What a checkpoint says of the records that belong to it.
std::string metrics_digest(const std::vector<MetricsRecord>& records);

/// Which steps a run records: 0, every multiple of `every`, and the last.
struct RecordedSteps {
  std::size_t every = 1, last = 0;
};

/// Throws CheckpointError, which names `path`, unless these are the records of a run that has done
/// `steps_done` steps: none missing, none too many, in order and with all their fields.
void check_records(const std::filesystem::path& path, const std::vector<MetricsRecord>& records,
                   const RecordedSteps& recorded, std::size_t steps_done);

}  // namespace phasor::inline PHASOR_PRECISION
