#include "phasor/figure/gnuplot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include "phasor/core/error.hpp"

extern char** environ;

namespace phasor {
namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, Closer>;

/// Gone when it is closed.
TemporaryFile temporary_file() {
  TemporaryFile file(std::tmpfile());
  check<DataError>(file != nullptr, "cannot make a temporary file: {}", std::strerror(errno));
  return file;
}

/// Where gnuplot finds its script. It reads a file in blocks, but its standard input byte by byte,
/// one system call for each, which takes seconds for the numbers of a heatmap.
constexpr int kScript = 3;

/// The last thing gnuplot complained about. It repeats the command before its complaint, which
/// starts with "line N:".
std::string complaint_in(std::FILE* file) {
  std::rewind(file);
  std::string words, complaint = "it says nothing";
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file))
    words.append(buffer.data(), count);
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) {
    const auto place = line.find("line ");
    const bool harmless = line.find("warning:") != std::string::npos;
    if (!harmless && place != std::string::npos && line.find(':', place) != std::string::npos)
      complaint = line.substr(place);
  }
  return complaint;
}

/// Starts gnuplot on a script. 0 when there is none on the path.
pid_t start(std::FILE* script, std::FILE* messages) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(messages), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(messages), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(script), kScript);
  std::string program = "gnuplot", settings = "-d", file = fmt::format("/dev/fd/{}", kScript);
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

bool run_gnuplot(const std::string& script) {
  const TemporaryFile file = temporary_file(), messages = temporary_file();
  const bool written = std::fwrite(script.data(), 1, script.size(), file.get()) == script.size() &&
                       std::fflush(file.get()) == 0;
  check<DataError>(written, "cannot write a temporary file: {}; free some space in /tmp",
                   std::strerror(errno));
  std::rewind(file.get());
  const pid_t child = start(file.get(), messages.get());
  if (child == 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  check<DataError>(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                   "gnuplot failed: {}; version 5.4 or later is wanted",
                   complaint_in(messages.get()));
  return true;
}

}  // namespace phasor
