#include "phasor/core/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <new>

#include "phasor/core/error.hpp"
#include "phasor/core/system_error.hpp"

namespace phasor {
namespace {

constexpr const char* kDraftEnding = ".part";

constexpr std::size_t kLargestFile = std::size_t{4} << 30, kLargestStream = std::size_t{256} << 20;

/// A file that is open for reading.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)) {
    check<DataError>(descriptor_ >= 0 || (errno != ENOENT && errno != ENOTDIR),
                     "no such file: {}; check the path and the folder you are in", path.string());
    if (descriptor_ < 0 || ::fstat(descriptor_, &status_) != 0) fail();
    check<DataError>(!S_ISDIR(status_.st_mode),
                     "{} is a folder, a file is wanted; name a file inside it", path.string());
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  std::string read_all() const {
    const bool is_stream = !S_ISREG(status_.st_mode);
    const std::size_t most = is_stream ? kLargestStream : kLargestFile;
    check_size(static_cast<std::size_t>(status_.st_size), most);
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(status_.st_size));
    std::array<char, 1 << 16> block;
    for (;;) {
      const ssize_t count = ::read(descriptor_, block.data(), block.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      if (count == 0) return bytes;
      bytes.append(block.data(), static_cast<std::size_t>(count));
      check_size(bytes.size(), most);
    }
  }

 private:
  void check_size(std::size_t size, std::size_t most) const {
    check<DataError>(size <= most,
                     "{} has more than {} MiB, at most that is read; choose a smaller file",
                     path_.string(), most >> 20);
  }
  [[noreturn]] void fail() const {
    throw DataError(fmt::format("cannot read {}: {}", path_.string(), reason_and_way_out(errno)));
  }

  const std::filesystem::path& path_;
  int descriptor_;
  struct stat status_ {};
};

}  // namespace

std::string read_file(const std::filesystem::path& path) try {
  return OpenFile(path).read_all();
} catch (const std::bad_alloc&) {
  throw DataError(fmt::format("{} does not fit into memory; choose a smaller file", path.string()));
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
  check<DataError>(!problem, "cannot make the folder {}: {}", folder.string(),
                   reason_and_way_out(problem.value()));
}

}  // namespace phasor
