// The folder of a run: its files, who may write them, and how one run takes the place of another.
#pragma once
#include "phasor/core/folder_lock.hpp"
#include "phasor/train/run_config.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Where the parts of a run are.
struct RunFiles {
  explicit RunFiles(const std::filesystem::path& folder);

  std::filesystem::path config, model, checkpoint, metrics;
  /// The configuration of a run that is about to replace the one that is there.
  std::filesystem::path next_config;

  std::vector<std::filesystem::path> all() const {
    return {config, model, checkpoint, metrics, next_config};
  }
};

/// config.json as it is read: of the run that is there, or of the one that is to replace it.
struct ConfigFile {
  std::filesystem::path path;
  std::string bytes;

  /// Throws CheckpointError when it is no JSON object.
  nlohmann::json json() const;
};
/// Throws CheckpointError when there is none.
ConfigFile read_config(const std::filesystem::path& folder);

/// A run's folder in the hands of this process alone, for all that writes there.
///
/// A run replaces another in three steps: its configuration is written to config.next.json, the
/// files of the other are removed, config.next.json becomes config.json. A process that is killed
/// before the end of the first step leaves the other run whole; after it readers see the new run,
/// without weights as yet, and the next one who opens the folder takes the steps that are missing.
class RunFolder {
 public:
  /// Makes the folder if need be, finishes a replacement that was cut short, and removes what
  /// killed writers of its files left. Throws ConfigError when the folder is in use, or holds files
  /// but no run; DataError when it cannot be made.
  explicit RunFolder(const std::filesystem::path& folder);

  const RunFiles& files() const { return files_; }
  bool holds_run() const;
  /// Begins a run, in the place of the one that is there.
  void begin(const RunConfig& config);
  /// Removes the run. The folder goes too unless it holds something else.
  void remove();
  /// Throws DataError when someone else has removed or replaced the folder, or emptied it.
  void check_still_there() const;

 private:
  bool is_draft(const std::filesystem::path& file) const;
  void refuse_foreign_files() const;
  void remove_drafts() const;
  void finish_replacement();

  RunFiles files_;
  FolderLock lock_;
};

}  // namespace phasor::inline PHASOR_PRECISION
