// Time and memory of a training step and of an evaluation as the context grows.
#include <fmt/format.h>

#include <algorithm>

#include "phasor/cli/usage.hpp"
#include "phasor/core/error.hpp"
#include "phasor/train/evaluate.hpp"
#include "tests/bench/common.hpp"

namespace phasor::bench {
namespace {

struct Settings {
  std::vector<std::string> schemes = {"none", "rope", "alibi", "t5_bias"};
  std::vector<std::size_t> contexts = {256, 512, 1024, 2048, 4096, 8192};
  std::size_t threads = 0;
  std::size_t enough_mb = 4096;
};

/// A column pair of the table: what is measured, and what is known of it at smaller contexts.
struct Kind {
  std::string name;
  std::function<double(const Size&, const std::string& scheme, Workers&)> milliseconds;
  double mb_before = 0;       // of the row before; 0: none
  std::size_t too_large = 0;  // the context that needed more than enough; 0: none
};

/// A measurement, or in its place a word for why there is none.
struct Cell {
  double ms = 0, mb = 0, ratio = 0;
  std::string word;
};

/// The fastest of at most three runs that begin within a second.
double fastest_milliseconds(const std::function<void()>& task) {
  double best = 0;
  const Stopwatch all;
  for (int n = 0; n < 3 && (n == 0 || all.seconds() < 1); ++n) {
    const Stopwatch one;
    task();
    const double ms = 1000 * one.seconds();
    best = n == 0 ? ms : std::min(best, ms);
  }
  return best;
}

double milliseconds_of_a_step(const Size& size, const std::string& scheme, Workers& workers) {
  TrainingCase training(size, scheme, workers);
  return fastest_milliseconds([&] { training.step(); });
}

double milliseconds_of_an_evaluation(const Size& size, const std::string& scheme,
                                     Workers& workers) {
  Rng rng(1, "weights");
  const Gpt model(model_config(size, scheme), rng);
  const Encoded tokens = random_tokens(size.context + 1);
  return fastest_milliseconds([&] { evaluate(model, tokens, {.context = size.context}, workers); });
}

/// Measures one kind in a process of its own, which makes its own threads.
Cell measure(const Settings& settings, Kind& kind, const std::string& scheme, std::size_t context,
             std::vector<std::string>& notes) {
  const Size size{64, 4, 2, context, 1};
  if (kind.too_large > 0) {
    notes.push_back(fmt::format("{} at {}: the {} is left out, for {} already needed over {} MB",
                                scheme, context, kind.name, kind.too_large, settings.enough_mb));
    return {.word = "left out"};
  }
  const ChildReport report = in_child([&] {
    Workers workers(settings.threads);
    return std::vector<double>{kind.milliseconds(size, scheme, workers)};
  });
  if (!report.problem.empty()) {
    notes.push_back(
        fmt::format("{} at {}: the {}: {}", scheme, context, kind.name, report.problem));
    kind.mb_before = 0;
    return {.word = "failed"};
  }
  Cell cell{.ms = report.values.at(0), .mb = report.peak_mb, .word = {}};
  if (kind.mb_before > 0) cell.ratio = cell.mb / kind.mb_before;
  kind.mb_before = cell.mb;
  if (cell.mb > static_cast<double>(settings.enough_mb)) kind.too_large = context;
  return cell;
}

void print_row(const std::string& scheme, std::size_t context, const std::vector<Cell>& cells) {
  fmt::print("{:<14} {:>7}", scheme, context);
  for (const Cell& cell : cells)
    if (cell.word.empty())
      fmt::print(" {:>10.2f} {:>9.1f}", cell.ms, cell.mb);
    else
      fmt::print(" {:>10} {:>9}", cell.word, "-");
  for (const Cell& cell : cells)
    fmt::print(" {:>9}", cell.ratio > 0 ? fmt::format("{:.2f}", cell.ratio) : "-");
  fmt::print("\n");
  std::fflush(stdout);
}

void run(const Settings& settings) {
  check_schemes(settings.schemes);
  for (const std::size_t context : settings.contexts)
    check<ConfigError>(context > 0, "--contexts must be at least 1, got 0");
  fmt::print(
      "Width 64, 4 heads, 2 layers, batch 1. Every measurement has a forked child of its own.\n"
      "step, eval  one training step; evaluation of one window of `context` tokens\n"
      "ms          the fastest of at most three that begin within a second\n"
      "MB          2^20 bytes, most ever resident in the forked child that measures\n"
      "MB x        MB over MB of the row before: 2.00 is linear where contexts double\n\n");
  fmt::print("{:<14} {:>7} {:>10} {:>9} {:>10} {:>9} {:>9} {:>9}\n", "scheme", "context", "step ms",
             "step MB", "eval ms", "eval MB", "step MB x", "eval MB x");
  std::vector<std::string> notes;
  for (const std::string& scheme : settings.schemes) {
    Kind step{"step", milliseconds_of_a_step}, evaluation{"eval", milliseconds_of_an_evaluation};
    for (const std::size_t context : settings.contexts) {
      const Cell first = measure(settings, step, scheme, context, notes);
      const Cell second = measure(settings, evaluation, scheme, context, notes);
      print_row(scheme, context, {first, second});
    }
  }
  for (const std::string& note : notes) fmt::print("{}\n", note);
}

void add_settings(CLI::App& app, Settings& settings) {
  add_list(app, "schemes", settings.schemes, "a,b,c")->capture_default_str();
  app.add_option("--contexts", settings.contexts, "a,b,c, ascending")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str()
      ->transform(cli::whole_number());
  add_threads(app, settings.threads);
  cli::add_value(app, "enough-mb", settings.enough_mb,
                 "larger contexts are left out when one needed more than this");
}

}  // namespace
}  // namespace phasor::bench

int main(int argc, char** argv) {
  phasor::bench::Settings settings;
  CLI::App app{"Time and memory of a step and of an evaluation as the context grows"};
  phasor::bench::add_settings(app, settings);
  return phasor::bench::run_program(app, "--schemes none,alibi --contexts 256,512,1024", argc, argv,
                                    [&] { phasor::bench::run(settings); });
}
