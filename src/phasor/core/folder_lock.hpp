// A folder that one process at a time writes into.
#pragma once
#include <filesystem>

namespace phasor {

/// Holds a folder until its end: an advisory lock (flock) on the folder itself, so that nothing is
/// left in it, and a process that is killed gives it back. A second lock of the same folder fails,
/// in the same process too. Where the file system has no such locks nothing is held.
class FolderLock {
 public:
  /// Throws ConfigError when the folder is in use, with the process where that is known; DataError
  /// when there is no such folder.
  explicit FolderLock(std::filesystem::path folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// Throws DataError when the folder was removed, moved or replaced since it was locked.
  void check_still_there() const;

 private:
  std::filesystem::path folder_;
  int descriptor_ = -1;
};

}  // namespace phasor
