// Runs the `phasor` command as a user does: a program of its own, in a folder of its own.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "phasor/core/file.hpp"

namespace phasor::cli {

/// A fresh folder, removed with all it holds.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "phasor-cli-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code = -1;  ///< exit code, or minus the signal that ended the program
  std::string out, err;
};

/// What a program is started with besides its words.
struct Setting {
  std::map<std::string, std::string> environment = {};
  std::optional<rlim_t> largest_file = {};    ///< bytes; writing more fails, as on a full disk
  int output_stream = -1, error_stream = -1;  ///< instead of pipes
};

/// Splits at blanks; 'single quotes' keep blanks and make empty words.
inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool in_quotes = false, in_word = false;
  for (const char c : line) {
    if (c == '\'') in_quotes = !in_quotes;
    const bool separates = c == ' ' && !in_quotes;
    if (!separates && !in_word) words.emplace_back();
    in_word = !separates;
    if (!separates && c != '\'') words.back() += c;
  }
  return words;
}

/// A started command. Its output is collected by wait(); one that is never waited for is killed.
class RunningCommand {
 public:
  RunningCommand(const std::filesystem::path& folder, const std::string& line,
                 const Setting& setting = {}) {
    const std::array<std::array<int, 2>, 2> pipes{make_pipe(), make_pipe()};
    process_ = ::fork();
    if (process_ == 0) become(folder, line, setting, pipes);
    for (std::size_t i = 0; i < 2; ++i) {
      ::close(pipes[i][1]);
      streams_[i] = pipes[i][0];
    }
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;
  ~RunningCommand() {
    if (process_ > 0) {
      send(SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    for (const int stream : streams_) ::close(stream);
  }

  void send(int signal) const { ::kill(process_, signal); }

  bool has_ended() const {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == process_;
  }

  /// Waits for the end; a program that hangs is killed after a minute, which fails the test.
  Outcome wait() {
    Outcome outcome;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    std::array<pollfd, 2> open{pollfd{streams_[0], POLLIN, 0}, pollfd{streams_[1], POLLIN, 0}};
    while (open[0].fd >= 0 || open[1].fd >= 0) {
      ::poll(open.data(), open.size(), 100);
      read_some(open[0], outcome.out);
      read_some(open[1], outcome.err);
      if (std::chrono::steady_clock::now() < deadline) continue;
      ADD_FAILURE() << "the command hangs";
      send(SIGKILL);
    }
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return outcome;
  }

 private:
  static std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
    return ends;
  }

  /// In the child: turns into the command.
  [[noreturn]] static void become(const std::filesystem::path& folder, const std::string& line,
                                  const Setting& setting,
                                  const std::array<std::array<int, 2>, 2>& pipes) {
    ::dup2(setting.output_stream >= 0 ? setting.output_stream : pipes[0][1], STDOUT_FILENO);
    ::dup2(setting.error_stream >= 0 ? setting.error_stream : pipes[1][1], STDERR_FILENO);
    for (const auto& [name, value] : setting.environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (setting.largest_file) {
      const rlimit limit{*setting.largest_file, *setting.largest_file};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    std::vector<std::string> words = words_of(line);
    words.insert(words.begin(), "phasor");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (::chdir(folder.c_str()) == 0) ::execv(PHASOR_BINARY_DIR "/phasor", arguments.data());
    ::_exit(127);
  }

  static void read_some(pollfd& stream, std::string& into) {
    if (stream.fd < 0 || stream.revents == 0) return;
    std::array<char, 1 << 16> block{};
    const ssize_t count = ::read(stream.fd, block.data(), block.size());
    if (count > 0)
      into.append(block.data(), static_cast<std::size_t>(count));
    else
      stream.fd = -1;  // poll ignores it
  }

  pid_t process_ = -1;
  std::array<int, 2> streams_{-1, -1};
};

/// Runs `phasor LINE` in `folder` to its end.
inline Outcome phasor(const std::filesystem::path& folder, const std::string& line,
                      const Setting& setting = {}) {
  return RunningCommand(folder, line, setting).wait();
}

/// Standard output of a command that must succeed.
inline std::string output_of(const std::filesystem::path& folder, const std::string& line) {
  const Outcome outcome = phasor(folder, line);
  EXPECT_EQ(outcome.code, 0) << "phasor " << line << "\n" << outcome.err;
  return outcome.out;
}

/// All files below a folder with their bytes, and all folders.
inline std::map<std::string, std::string> contents_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    contents[entry.path().lexically_relative(folder).string()] =
        entry.is_directory() ? "folder" : read_file(entry.path());
  return contents;
}

/// 60 times one sentence of 45 characters, 28 different ones. Quickly learned.
inline void write_small_text(const WorkFolder& folder) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "the quick brown fox jumps over the lazy dog. ";
  write_file(folder / "small.txt", text);
}

/// Options of the smallest training that still has every part.
inline const std::string kTiny =
    " --width 8 --heads 2 --layers 1 --context 8 --batch 4 --warmup 2 --eval-every 2"
    " --eval-tokens 200";

/// `phasor train` on small.txt for six steps, with more options.
inline std::string tiny_training(const std::string& more) {
  return "train --text small.txt --steps 6" + kTiny + " " + more;
}

}  // namespace phasor::cli
