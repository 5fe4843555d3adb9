#include "phasor/figure/gnuplot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "phasor/core/error.hpp"
#include "phasor/core/system_error.hpp"

extern char** environ;

namespace phasor {
namespace {

/// Where gnuplot finds its script, and after it its outputs. It reads a file in blocks, but its
/// standard input byte by byte, one system call for each, which takes seconds for the numbers of a
/// heatmap.
constexpr int kScript = 3;
/// The descriptors of this program begin above those that gnuplot gets.
constexpr int kOwn = 16;

std::string descriptor_name(int descriptor) { return fmt::format("/dev/fd/{}", descriptor); }

/// A file without a name in $TMPDIR, gone when it is closed.
class TemporaryFile {
 public:
  TemporaryFile() {
    const char* set = std::getenv("TMPDIR");
    folder_ = set != nullptr && *set != '\0' ? set : "/tmp";
    std::string name = folder_ + "/phasor-XXXXXX";
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) fail("make");
    ::unlink(name.c_str());
    descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kOwn);
    const int error = errno;
    ::close(descriptor);
    errno = error;
    if (descriptor_ < 0) fail("make");
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int descriptor() const { return descriptor_; }
  const std::string& folder() const { return folder_; }

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail("write");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }

  std::string read() const {
    std::string bytes;
    std::array<char, 1 << 16> block;
    ssize_t count = 0;
    while ((count = ::pread(descriptor_, block.data(), block.size(),
                            static_cast<off_t>(bytes.size()))) > 0)
      bytes.append(block.data(), static_cast<std::size_t>(count));
    if (count < 0) fail("read");
    return bytes;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw DataError(fmt::format("cannot {} a temporary file in {} (TMPDIR names the folder): {}",
                                what, folder_, reason_and_way_out(errno)));
  }

  std::string folder_;
  int descriptor_ = -1;
};

/// The last thing gnuplot complained about. It repeats the command before its complaint, which
/// starts with "line N:".
std::string complaint_in(const std::string& words) {
  std::string complaint = "it says nothing";
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) {
    const auto place = line.find("line ");
    const bool harmless = line.find("warning:") != std::string::npos;
    if (!harmless && place != std::string::npos && line.find(':', place) != std::string::npos)
      complaint = line.substr(place);
  }
  return complaint;
}

/// Starts gnuplot. 0 when there is none on the path.
pid_t start(const TemporaryFile& script, const TemporaryFile& messages,
            const std::vector<TemporaryFile>& outputs) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, messages.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.descriptor(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, script.descriptor(), kScript);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    posix_spawn_file_actions_adddup2(&actions, outputs[i].descriptor(),
                                     kScript + 1 + static_cast<int>(i));
  std::string program = "gnuplot", settings = "-d", file = descriptor_name(kScript);
  std::array<char*, 4> arguments = {program.data(), settings.data(), file.data(), nullptr};
  pid_t child = 0;
  const int problem =
      ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem == ENOENT) return 0;
  check<DataError>(problem == 0, "cannot start gnuplot: {}; repair it or take it off the path",
                   std::strerror(problem));
  return child;
}

}  // namespace

std::string gnuplot_output(std::size_t index) {
  return descriptor_name(kScript + 1 + static_cast<int>(index));
}

std::optional<std::vector<std::string>> run_gnuplot(const std::string& script,
                                                    std::size_t outputs) {
  const TemporaryFile file, messages;
  const std::vector<TemporaryFile> written(outputs);
  file.write(script);
  const pid_t child = start(file, messages, written);
  if (child == 0) return std::nullopt;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  check<DataError>(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                   "gnuplot failed: {}; version 5.4 or later is wanted",
                   complaint_in(messages.read()));
  std::vector<std::string> result;
  for (const TemporaryFile& output : written) result.push_back(output.read());
  return result;
}

}  // namespace phasor
