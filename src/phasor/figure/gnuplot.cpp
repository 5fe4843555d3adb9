#include "phasor/figure/gnuplot.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>
#include <string_view>

#include "phasor/core/error.hpp"

extern char** environ;

namespace phasor {
namespace {

/// Closes on every way out.
struct Descriptor {
  int value = -1;
  ~Descriptor() { close(); }
  void close() {
    if (value >= 0) ::close(value);
    value = -1;
  }
};

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, Closer>;

/// A socket instead of a pipe: writing to a gnuplot that has died is then an error of send()
/// and not a signal that ends this program.
void send_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // its exit status says more than this error
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

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

/// Starts gnuplot with `input` as its standard input. 0 when there is none on the path.
pid_t start(int input, std::FILE* messages) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(messages), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(messages), STDERR_FILENO);
  std::string program = "gnuplot", settings = "-d";
  std::array<char*, 3> arguments = {program.data(), settings.data(), nullptr};
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
  std::array<int, 2> ends;
  check<DataError>(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0,
                   "cannot make a pipe to gnuplot: {}", std::strerror(errno));
  Descriptor ours{ends[0]}, theirs{ends[1]};
  const TemporaryFile messages(std::tmpfile());
  check<DataError>(messages != nullptr, "cannot make a temporary file: {}", std::strerror(errno));
  const pid_t child = start(theirs.value, messages.get());
  if (child == 0) return false;
  theirs.close();
  send_all(ours.value, script);
  ours.close();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  check<DataError>(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                   "gnuplot failed: {}; version 5.4 or later is wanted",
                   complaint_in(messages.get()));
  return true;
}

}  // namespace phasor
