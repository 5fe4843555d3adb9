// What the programs of this folder share: sizes, models to train, statistics, measurements in a
// process of their own, and a main() that reports errors as the `phasor` command does.
#pragma once
#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "phasor/train/trainer.hpp"

namespace phasor::bench {

inline constexpr std::size_t kVocabulary = 65;

/// The extents of a model and of what it is trained on.
struct Size {
  std::size_t width, heads, layers, context, batch;
};

/// As many whole numbers above 0 as `form` names, between letters x: "64x4x2" for "WxHxL".
/// Throws ConfigError.
std::vector<std::size_t> parse_extents(const std::string& text, const std::string& form);

/// "32x2x2x64x16" of the form WxHxLxTxB. Throws ConfigError on anything else and on sizes that no
/// model can have.
Size parse_size(const std::string& text);

/// The same form again.
std::string text_of(const Size& size);

/// An untied head over kVocabulary tokens, and the scheme's default options.
GptConfig model_config(const Size& size, const std::string& scheme);

/// Drawn independently and uniformly: there is nothing to learn from them.
Encoded random_tokens(std::size_t count);

/// Throws ConfigError on a name that is no scheme's.
void check_schemes(const std::vector<std::string>& names);

/// A fresh model with its trainer (AdamW, clip 1) and batches that were drawn beforehand.
class TrainingCase {
 public:
  /// Throws ConfigError when the scheme does not suit the size.
  TrainingCase(const Size& size, const std::string& scheme, Workers& workers);
  /// One optimizer step on the next batch.
  void step();

 private:
  std::unique_ptr<Gpt> model_;
  std::unique_ptr<Trainer> trainer_;
  std::vector<std::vector<Batch>> batches_;
  std::size_t next_ = 0;
};

/// Runs from its construction.
class Stopwatch {
 public:
  /// Elapsed so far.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Quartiles {
  double low = 0, median = 0, high = 0;
};

/// With linear interpolation between neighbours. `values` must not be empty.
Quartiles quartiles_of(std::vector<double> values);

/// What came of a task in a process of its own.
struct ChildReport {
  std::vector<double> values;  // what the task returned
  std::string problem;         // why it returned nothing; empty when it did
  double peak_mb = 0;          // largest resident memory of the process, in units of 2^20 bytes
};

/// Runs `task` in a forked child. Its memory counts what was written by either and what the child
/// reads, so libraries only as far as the child runs them; a fresh process has a few MB more. To be
/// called while this process is small, for the child starts with the memory of its parent, and
/// while it has no other threads, for they are not forked.
ChildReport in_child(const std::function<std::vector<double>()>& task);

/// Reads the command line and runs `body`. `example` is what follows the program's name in --help.
/// Returns the exit code: 0, or 2 after one line on standard error.
int run_program(CLI::App& app, const std::string& example, int argc, char** argv,
                const std::function<void()>& body);

/// --threads, at most as many as Workers takes.
CLI::Option* add_threads(CLI::App& app, std::size_t& threads);

/// --name a,b,c, given once or several times.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                      const std::string& help);

}  // namespace phasor::bench
