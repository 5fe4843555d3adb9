#include "phasor/core/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

constexpr const char* kDraftEnding = ".part";

/// The temporary twin of a file being written: closed and removed on every way out but success.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& target)
      : target_(target), path_(target.string() + fmt::format(".{}{}", ::getpid(), kDraftEnding)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor_ < 0) fail();
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!done_) ::unlink(path_.c_str());
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void commit() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail();
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) fail();
    done_ = true;
  }

 private:
  [[noreturn]] void fail() const {
    throw DataError(fmt::format(
        "cannot write '{}': {}; free some space or choose another place (nothing was changed)",
        target_.string(), std::strerror(errno)));
  }

  std::filesystem::path target_, path_;
  int descriptor_ = -1;
  bool done_ = false;
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  check<DataError>(std::filesystem::exists(path, ignored),
                   "no such file: {}; check the path and the folder you are in", path.string());
  check<DataError>(!std::filesystem::is_directory(path, ignored),
                   "{} is a folder, a file is wanted; name a file inside it", path.string());
  std::ifstream stream(path, std::ios::binary);
  std::string bytes;
  char block[1 << 16];
  // read() and not <<, which would take a failing disk for the end of the file.
  while (stream.read(block, sizeof block) || stream.gcount() > 0)
    bytes.append(block, static_cast<std::size_t>(stream.gcount()));
  check<DataError>(stream.is_open() && stream.eof(), "cannot read {}: {}; check its permissions",
                   path.string(), std::strerror(errno));
  return bytes;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::error_code ignored;
  check<DataError>(path.has_filename() && !std::filesystem::is_directory(path, ignored),
                   "cannot write '{}': it is a folder, a file is wanted; name a file inside it",
                   path.string());
  if (path.has_parent_path()) make_folder(path.parent_path());
  Draft draft(path);
  draft.write(bytes);
  draft.commit();
}

/// "model.safetensors.4711.part" is one of "model.safetensors".
bool is_draft_of(const std::filesystem::path& file, const std::filesystem::path& path) {
  const std::string process = file.stem().extension().string();
  return file.extension() == kDraftEnding && file.stem().stem() == path.filename() &&
         process.size() > 1 && process.find_first_not_of("0123456789", 1) == process.npos;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  check<DataError>(!problem, "cannot make the folder {}: {}; choose another place", folder.string(),
                   problem.message());
}

}  // namespace phasor
