#include "phasor/core/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

#include "phasor/core/error.hpp"
#include "phasor/core/system_error.hpp"
#include "phasor/core/text.hpp"

namespace phasor {
namespace {

constexpr const char* kOutOfMemory =
    "out of memory; choose a smaller text or smaller sizes, such as --width, --batch, --context or "
    "--positions";

/// A standard stream that is closed would become the next file that is opened, and what is printed
/// would end up there. In its place stands a file of the wrong direction: using it is an error.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      // The lowest free number is the one that is missing; without /dev/null it stays closed.
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// `error` is 0 when the reason is not known any more.
[[noreturn]] void output_is_lost(int error) {
  throw DataError(fmt::format(
      "cannot write to standard output: {}",
      error != 0 ? reason_and_way_out(error) : "a write failed; send the output elsewhere"));
}

int fail(const std::string& name, const std::string& message) {
  std::fflush(stdout);
  std::cerr << name << ": " << one_line(message) << '\n';
  return 2;
}

/// Some disks, such as those of a network, tell of a failed write only when the file is closed.
void check_output() {
  flush_output();
  const int copy = ::dup(STDOUT_FILENO);
  if (copy >= 0 && ::close(copy) != 0) output_is_lost(errno);
}

}  // namespace

void flush_output() {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.good())
    output_is_lost(errno);
}

int run_program(const std::string& name, const std::function<int()>& body) try {
  occupy_closed_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is then an error like a full disk
  const int code = body();
  check_output();
  return code;
} catch (const std::bad_alloc&) {
  return fail(name, kOutOfMemory);
} catch (const std::length_error&) {  // more elements than any memory could hold
  return fail(name, kOutOfMemory);
} catch (const std::filesystem::filesystem_error& problem) {
  return fail(name, fmt::format("cannot use '{}': {}", problem.path1().string(),
                                reason_and_way_out(problem.code().value())));
} catch (const std::system_error& problem) {
  // fmt::print throws it when standard output takes nothing more.
  if (std::ferror(stdout) == 0) return fail(name, problem.what());
  return fail(name,
              "cannot write to standard output: " + reason_and_way_out(problem.code().value()));
} catch (const std::exception& problem) {
  return fail(name, problem.what());
}

}  // namespace phasor
