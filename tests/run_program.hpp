// Running a program of the build as a shell would, for tests of what it prints.
#pragma once
#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace phasor::test {

struct ProgramOutcome {
  int code = -1;     ///< -1 when it did not end by itself
  std::string text;  ///< what the shell's `redirect` leaves of both streams
};

/// `program` is a path inside the build folder.
inline ProgramOutcome run_program(const std::string& program, const std::string& arguments,
                                  const std::string& redirect) {
  const std::string command =
      fmt::format("'{}/{}' {} {}", PHASOR_BINARY_DIR, program, arguments, redirect);
  ProgramOutcome outcome;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return outcome;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), count);
  const int status = ::pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

}  // namespace phasor::test
