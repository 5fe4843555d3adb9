// The writing half of file.hpp.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <list>
#include <optional>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/system_error.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnchanged = " (nothing was changed)";
constexpr std::size_t kDraftEnding = 24;  // bytes that ".PROCESS.part" may have

[[noreturn]] void fail(const fs::path& name, int error, const char* more = "") {
  throw DataError(
      fmt::format("cannot write '{}': {}{}", name.string(), reason_and_way_out(error), more));
}

/// The descriptor that a name such as /dev/fd/3 stands for.
std::optional<int> open_descriptor(const fs::path& path) {
  std::error_code problem;
  if (fs::canonical(path.parent_path(), problem) != fs::canonical("/proc/self/fd", problem) ||
      problem)
    return std::nullopt;
  const std::string name = path.filename().string();
  int descriptor = -1;
  const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), descriptor);
  return wrong == std::errc() && *end == '\0' ? std::optional(descriptor) : std::nullopt;
}

/// Where the bytes written to a name go.
struct Place {
  fs::path name;                   ///< as it was given
  fs::path path;                   ///< behind all symbolic links
  std::optional<int> descriptor;   ///< of an open stream
  std::optional<struct stat> old;  ///< what is there

  /// Something that cannot be replaced, only written to.
  bool is_stream() const { return descriptor || (old && !S_ISREG(old->st_mode)); }
  fs::path folder() const { return path.has_parent_path() ? path.parent_path() : fs::path("."); }
};

/// Follows symbolic links, the last of which may lead to nothing yet.
void follow_links(Place& place) {
  std::error_code none;
  for (int links = 0; links < 40; ++links) {
    place.descriptor = open_descriptor(place.path);
    const fs::path next = fs::read_symlink(place.path, none);
    if (none || place.descriptor) return;
    place.path = place.path.parent_path() / next;
  }
  fail(place.name, ELOOP);
}

/// Throws when there is a folder, or a file that may not be written.
Place place_of(const fs::path& name) {
  Place place{.name = name, .path = name, .descriptor = {}, .old = {}};
  follow_links(place);
  struct stat status {};
  if (!place.descriptor && ::stat(place.path.c_str(), &status) == 0)
    place.old = status;
  else if (!place.descriptor && errno != ENOENT && errno != ENOTDIR)
    fail(name, errno);
  check<DataError>(place.path.has_filename() && !(place.old && S_ISDIR(place.old->st_mode)),
                   "cannot write '{}': it is a folder, a file is wanted; name a file inside it",
                   name.string());
  // Its folder would allow to replace a file that may not be written.
  const bool write_protected = place.old && (place.old->st_mode & 0222) == 0;
  if (write_protected ||
      (place.old && ::faccessat(AT_FDCWD, place.path.c_str(), W_OK, AT_EACCESS) != 0))
    fail(name, write_protected ? EACCES : errno);
  if (!place.is_stream() && place.path.filename().string().size() > NAME_MAX - kDraftEnding)
    fail(name, ENAMETOOLONG);
  return place;
}

void write_all(int descriptor, std::string_view bytes, const fs::path& name, const char* more) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(name, errno, more);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void write_stream(const Place& place, std::string_view bytes) {
  std::fflush(stdout);  // what was printed before comes before
  const int descriptor = place.descriptor
                             ? ::fcntl(*place.descriptor, F_DUPFD_CLOEXEC, 0)
                             : ::open(place.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) fail(place.name, errno);
  try {
    write_all(descriptor, bytes, place.name, "");
  } catch (const DataError&) {
    ::close(descriptor);
    throw;
  }
  if (::close(descriptor) != 0) fail(place.name, errno);
}

/// The temporary twin of a file: gone on every way out.
class Draft {
 public:
  Draft(const Place& place, std::string_view bytes)
      : place_(place), path_(place.path.string() + fmt::format(".{}.part", ::getpid())) {
    constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
    descriptor_ = ::open(path_.c_str(), kFlags, place.old ? 0600 : 0666);
    if (descriptor_ < 0) fail(place_.name, errno, kUnchanged);
    exists_ = true;
    try {
      if (place.old) take_over_rights();
      write_all(descriptor_, bytes, place_.name, kUnchanged);
      finish();
    } catch (const DataError&) {
      remove();
      throw;
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() { remove(); }

  /// Takes the place of the file. Unless it is the last of all, the old file is kept until the end.
  void put(bool last) {
    exchanged_ =
        !last && place_.old &&
        ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, place_.path.c_str(), RENAME_EXCHANGE) == 0;
    if (!exchanged_ && ::rename(path_.c_str(), place_.path.c_str()) != 0)
      fail(place_.name, errno, kUnchanged);
    exists_ = exchanged_;  // with the old bytes, or not at all
  }
  void take_back() {
    if (exchanged_)
      ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, place_.path.c_str(), RENAME_EXCHANGE);
    else if (!place_.old)
      ::unlink(place_.path.c_str());
  }

 private:
  /// Another owner is possible for the administrator alone; the file is then the writer's.
  void take_over_rights() {
    static_cast<void>(::fchown(descriptor_, place_.old->st_uid, place_.old->st_gid) == 0);
    if (::fchmod(descriptor_, place_.old->st_mode & 0777) != 0)
      fail(place_.name, errno, kUnchanged);
  }
  void finish() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(place_.name, errno, kUnchanged);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(place_.name, errno, kUnchanged);
  }
  void remove() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    if (exists_) ::unlink(path_.c_str());
  }

  const Place& place_;
  std::string path_;
  int descriptor_ = -1;
  bool exists_ = false, exchanged_ = false;
};

/// The folders that had to be made; those in which nothing was written are removed again.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders() {
    for (const fs::path& folder : made_) ::rmdir(folder.c_str());  // fails unless it is empty
  }
  void make(const fs::path& folder) {
    std::error_code ignored;
    for (fs::path above = folder; !above.empty() && !fs::exists(above, ignored);
         above = above.parent_path())
      made_.push_back(above);
    make_folder(folder);
  }

 private:
  std::vector<fs::path> made_;  // a folder comes after those inside it
};

void put_all(std::list<Draft>& drafts) {
  auto next = drafts.begin();
  try {
    for (; next != drafts.end(); ++next) next->put(std::next(next) == drafts.end());
  } catch (const DataError&) {
    while (next != drafts.begin()) (--next)->take_back();
    throw;
  }
}

void write_together(const std::vector<NewFile>& files, bool make_folders) {
  std::list<Place> places;
  for (const NewFile& file : files) places.push_back(place_of(file.path));
  MadeFolders folders;
  std::list<Draft> drafts;
  auto place = places.begin();
  for (const NewFile& file : files) {
    if (!place->is_stream()) {
      if (make_folders) folders.make(place->folder());
      drafts.emplace_back(*place, file.bytes);
    }
    ++place;
  }
  place = places.begin();
  for (const NewFile& file : files) {
    if (place->is_stream()) write_stream(*place, file.bytes);
    ++place;
  }
  put_all(drafts);
}

}  // namespace

void write_files(const std::vector<NewFile>& files) { write_together(files, true); }

void write_file(const fs::path& path, std::string_view bytes) {
  write_together({{path, bytes}}, true);
}

void write_into_folder(const fs::path& path, std::string_view bytes) {
  write_together({{path, bytes}}, false);
}

void check_writable(const fs::path& path) {
  const Place place = place_of(path);
  if (place.is_stream()) return;
  fs::path folder = place.folder();
  std::error_code problem;
  while (folder.has_parent_path() && folder != folder.parent_path() && !fs::exists(folder, problem))
    folder = folder.parent_path();
  if (!fs::exists(folder, problem)) folder = ".";
  check<DataError>(fs::is_directory(folder, problem), "cannot make the folder {}: {}",
                   place.folder().string(), reason_and_way_out(ENOTDIR));
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) fail(path, errno);
}

}  // namespace phasor
