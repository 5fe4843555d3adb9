#include "phasor/core/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

/// The process that holds the lock of the file `descriptor`, from lines of /proc/locks such as
/// "3: FLOCK  ADVISORY  WRITE 4711 08:01:1234567 0 EOF". 0 when that is not known.
pid_t holder_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return 0;
  const std::string inode = fmt::format(":{}", status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, manner, mode, place;
    pid_t process = 0;
    if (words >> number >> kind >> manner >> mode >> process >> place && kind == "FLOCK" &&
        place.ends_with(inode))
      return process;
  }
  return 0;
}

}  // namespace

FolderLock::FolderLock(std::filesystem::path folder) : folder_(std::move(folder)) {
  descriptor_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A folder that may be written but not read (EACCES) is used without a lock.
  check<DataError>(descriptor_ >= 0 || (errno != ENOENT && errno != ENOTDIR),
                   "cannot use the folder {}: {}; choose another place", folder_.string(),
                   std::strerror(errno));
  int failed = 0;
  while ((failed = ::flock(descriptor_, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR) {
  }
  if (failed == 0 || errno != EWOULDBLOCK) return;
  const pid_t holder = holder_of(descriptor_);
  ::close(descriptor_);
  throw ConfigError(fmt::format(
      "{} is in use by {}, which writes there; wait for it, or choose another --out",
      folder_.string(), holder > 0 ? fmt::format("process {}", holder) : "another process"));
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FolderLock::check_still_there() const {
  if (descriptor_ < 0) return;
  struct stat held {
  }, named{};
  const bool is_there = ::fstat(descriptor_, &held) == 0 && held.st_nlink > 0 &&
                        ::stat(folder_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
                        held.st_ino == named.st_ino;
  check<DataError>(is_there,
                   "the folder {} was removed or replaced while it was being written; nothing "
                   "more is saved, train again",
                   folder_.string());
}

}  // namespace phasor
