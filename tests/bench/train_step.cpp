// How long a training step takes, scheme by scheme, against what the machine could do at best.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "phasor/cli/usage.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/tensor/gemm.hpp"
#include "tests/bench/common.hpp"

namespace phasor::bench {
namespace {

struct Settings {
  std::vector<std::string> sizes = {"32x2x2x64x16", "64x4x2x64x32", "128x4x4x128x32",
                                    "256x8x6x256x8"};
  std::vector<std::string> schemes;  // empty: all
  std::size_t threads = 0, rounds = 5;
  double seconds = 0.4;
  bool no_peak = false, json = false;
};

/// One scheme at one size.
struct Row {
  std::string scheme, problem;  // problem: why there are no numbers
  double memory_mb = 0;
  std::vector<double> round_ms = {};  // a step, for each round
  Quartiles ms = {};
};

/// All schemes at one size.
struct Table {
  Size size;
  std::vector<Row> rows;
  double peak_gflops = 0;  // 0: not measured
};

/// The fastest this machine multiplies: square matrices on every thread at once.
class Peak {
 public:
  /// With no threads it measures 0 and takes no memory.
  explicit Peak(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) matrices_.emplace_back(3 * kExtent * kExtent, 0.5F);
  }

  /// The sum of all threads' rates, in GFLOP/s.
  double measure(Workers& workers) {
    std::vector<double> rates(matrices_.size());
    workers.run(matrices_.size(), [&](std::size_t i) {
      Real* a = matrices_[i].data();
      const Stopwatch watch;
      for (int n = 0; n < kProducts; ++n)
        blas_gemm(kExtent, kExtent, kExtent, 1, {a, kExtent}, {a + kExtent * kExtent, kExtent}, 0,
                  a + 2 * kExtent * kExtent, kExtent);
      rates[i] = kProducts * 2e-9 * std::pow(kExtent, 3) / watch.seconds();
    });
    double sum = 0;
    for (const double rate : rates) sum += rate;
    return sum;
  }

 private:
  static constexpr std::size_t kExtent = 1024;
  static constexpr int kProducts = 2;
  std::vector<std::vector<Real>> matrices_;
};

/// Memory by size and scheme. Comes before everything that makes this process large.
std::vector<Table> measure_memory(const Settings& settings, const std::vector<Size>& sizes) {
  Progress bar("memory", static_cast<std::int64_t>(sizes.size() * settings.schemes.size()));
  std::int64_t done = 0;
  std::vector<Table> tables;
  for (const Size& size : sizes) {
    tables.push_back({size, {}});
    for (const std::string& scheme : settings.schemes) {
      const ChildReport report = in_child([&] {
        Workers workers(settings.threads);
        TrainingCase training(size, scheme, workers);
        training.step();
        training.step();
        return std::vector<double>{};
      });
      tables.back().rows.push_back({scheme, report.problem, report.peak_mb});
      bar.update(++done, text_of(size) + " " + scheme);
    }
  }
  bar.finish();
  return tables;
}

/// The median of as many steps as fit, at least two, in milliseconds.
double milliseconds_of_a_step(TrainingCase& training, double seconds) {
  std::vector<double> steps;
  const Stopwatch all;
  while (steps.size() < 2 || all.seconds() < seconds) {
    const Stopwatch one;
    training.step();
    steps.push_back(1000 * one.seconds());
  }
  return quartiles_of(steps).median;
}

/// In turn over all schemes and the peak, so that a drift of the machine's clock hits all alike.
void measure_time(const Settings& settings, Table& table, Workers& workers, Peak& peak,
                  Progress& bar, std::int64_t& done) {
  std::vector<std::unique_ptr<TrainingCase>> trainings;
  for (const Row& row : table.rows) {
    trainings.push_back(nullptr);
    if (!row.problem.empty()) continue;
    trainings.back() = std::make_unique<TrainingCase>(table.size, row.scheme, workers);
    trainings.back()->step();
  }
  peak.measure(workers);
  std::vector<double> peaks;
  for (std::size_t round = 0; round < settings.rounds; ++round) {
    peaks.push_back(peak.measure(workers));
    for (std::size_t i = 0; i < trainings.size(); ++i) {
      Row& row = table.rows[i];
      if (trainings[i])
        row.round_ms.push_back(milliseconds_of_a_step(*trainings[i], settings.seconds));
      bar.update(++done, text_of(table.size) + " " + row.scheme);
    }
  }
  table.peak_gflops = quartiles_of(peaks).median;
  for (Row& row : table.rows)
    if (row.problem.empty()) row.ms = quartiles_of(row.round_ms);
}

/// Operations of the matrix products in a step: two for each weight and token forward, twice as
/// many backward; as if no logit were masked.
double operations(const Size& size) {
  const auto C = static_cast<double>(size.width), L = static_cast<double>(size.layers);
  const auto T = static_cast<double>(size.context), B = static_cast<double>(size.batch);
  return 6 * B * T * (L * 12 * C * C + kVocabulary * C + 2 * L * T * C);
}

double tokens_per_second(const Size& size, const Row& row) {
  return 1000 * static_cast<double>(size.batch * size.context) / row.ms.median;
}

double gflops(const Size& size, const Row& row) { return 1e-6 * operations(size) / row.ms.median; }

/// How many times the milliseconds of `none`; 0 where that was not measured.
double ratio_to_none(const Table& table, const Row& row) {
  for (const Row& other : table.rows)
    if (other.scheme == "none" && other.problem.empty()) return row.ms.median / other.ms.median;
  return 0;
}

void print_legend(const Settings& settings) {
  fmt::print(
      "ms/step    median over {} rounds of the round's median step; in [] the quartiles\n"
      "GFLOP/s    1e9 operations a second: 6 B T (L 12 C^2 + V C + 2 L T C) in a step, unmasked\n"
      "% of peak  the peak is sgemm of 1024^3 on every thread at once, median over rounds\n"
      "x none     ms/step over that of the scheme none\n"
      "MB         2^20 bytes, most ever resident in a forked child that does two steps\n"
      "Size is WxHxLxTxB: width C, heads, layers L, context T, batch B; vocabulary V = {}.\n",
      settings.rounds, kVocabulary);
}

/// A dash for 0, which is what was not measured.
std::string number_or_dash(double value, int decimals) {
  return value > 0 ? fmt::format("{:.{}f}", value, decimals) : "-";
}

double percent_of_peak(const Table& table, const Row& row) {
  return table.peak_gflops > 0 ? 100 * gflops(table.size, row) / table.peak_gflops : 0;
}

void print_table(const Table& table, std::size_t threads) {
  fmt::print("\n{}, {} thread{}, peak {} GFLOP/s\n", text_of(table.size), threads,
             threads == 1 ? "" : "s", number_or_dash(table.peak_gflops, 1));
  fmt::print("{:<14} {:>9} {:>19} {:>10} {:>8} {:>9} {:>7} {:>8}\n", "scheme", "ms/step",
             "[quartiles]", "tokens/s", "GFLOP/s", "% of peak", "x none", "MB");
  for (const Row& row : table.rows) {
    if (!row.problem.empty()) {
      fmt::print("{:<14} {}\n", row.scheme, row.problem);
      continue;
    }
    fmt::print("{:<14} {:>9.3f} {:>19} {:>10.0f} {:>8.2f} {:>9} {:>7} {:>8.1f}\n", row.scheme,
               row.ms.median, fmt::format("[{:.3f} {:.3f}]", row.ms.low, row.ms.high),
               tokens_per_second(table.size, row), gflops(table.size, row),
               number_or_dash(percent_of_peak(table, row), 1),
               number_or_dash(ratio_to_none(table, row), 2), row.memory_mb);
  }
  std::fflush(stdout);
}

void print_json(const std::vector<Table>& tables, std::size_t threads) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Table& table : tables)
    for (const Row& row : table.rows) {
      nlohmann::ordered_json entry = {
          {"size", text_of(table.size)}, {"threads", threads}, {"scheme", row.scheme}};
      if (!row.problem.empty()) {
        entry["problem"] = row.problem;
      } else {
        entry["ms_per_step"] = row.ms.median;
        entry["ms_quartiles"] = {row.ms.low, row.ms.high};
        entry["tokens_per_second"] = tokens_per_second(table.size, row);
        entry["gflops"] = gflops(table.size, row);
        if (table.peak_gflops > 0) {
          entry["peak_gflops"] = table.peak_gflops;
          entry["percent_of_peak"] = percent_of_peak(table, row);
        }
        if (const double ratio = ratio_to_none(table, row); ratio > 0)
          entry["ratio_to_none"] = ratio;
        entry["memory_mb"] = row.memory_mb;
      }
      json.push_back(entry);
    }
  fmt::print("{}\n", json.dump(2));
}

void add_settings(CLI::App& app, Settings& settings) {
  app.add_option("--size", settings.sizes, "WxHxLxTxB; can be given several times")
      ->allow_extra_args(false)
      ->capture_default_str();
  add_list(app, "schemes", settings.schemes, "a,b,c (default: all)");
  add_threads(app, settings.threads);
  cli::add_value(app, "rounds", settings.rounds, "measurements of each scheme, in turn");
  cli::add_value(app, "seconds", settings.seconds, "of a round, for each scheme; 2 steps at least");
  app.add_flag("--no-peak", settings.no_peak, "without the sgemm peak and its matrices");
  app.add_flag("--json", settings.json, "one JSON array instead of tables");
}

void run(Settings settings) {
  check<ConfigError>(settings.rounds > 0, "--rounds must be at least 1, got 0");
  if (settings.schemes.empty())
    for (const SchemeEntry& entry : schemes()) settings.schemes.push_back(entry.name);
  check_schemes(settings.schemes);
  std::vector<Size> sizes;
  for (const std::string& text : settings.sizes) sizes.push_back(parse_size(text));

  std::vector<Table> tables = measure_memory(settings, sizes);
  Workers workers(settings.threads);
  Peak peak(settings.no_peak ? 0 : workers.threads());
  Progress bar("time",
               static_cast<std::int64_t>(sizes.size() * settings.schemes.size() * settings.rounds));
  std::int64_t done = 0;
  if (!settings.json) print_legend(settings);
  for (Table& table : tables) {
    measure_time(settings, table, workers, peak, bar, done);
    if (!settings.json) print_table(table, workers.threads());
  }
  bar.finish();
  if (settings.json) print_json(tables, workers.threads());
}

}  // namespace
}  // namespace phasor::bench

int main(int argc, char** argv) {
  phasor::bench::Settings settings;
  CLI::App app{"How long a training step takes, for each scheme and size"};
  phasor::bench::add_settings(app, settings);
  return phasor::bench::run_program(app, "--size 64x4x2x64x32 --schemes none,rope,alibi", argc,
                                    argv, [&] { phasor::bench::run(settings); });
}
