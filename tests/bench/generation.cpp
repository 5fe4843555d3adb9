// How fast tokens come out of a model with its key/value cache, and how that falls with the text.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "phasor/cli/usage.hpp"
#include "phasor/core/error.hpp"
#include "phasor/model/generate.hpp"
#include "tests/bench/common.hpp"

namespace phasor::bench {
namespace {

/// Numbers of tokens, counted from 1, whose time is told.
constexpr std::array<std::size_t, 3> kPlaces = {10, 100, 1000};
constexpr std::size_t kContext = 64;

struct Settings {
  std::string size = "64x4x2";
  std::vector<std::string> schemes = {"none", "rope", "alibi", "t5_bias"};
  std::size_t tokens = 1001, generations = 5;
  bool json = false;
};

/// One scheme: a model and what was measured of it.
struct Row {
  std::string scheme, problem;  // problem: why there are no numbers
  std::unique_ptr<Gpt> model;
  std::array<std::vector<double>, kPlaces.size()> ms = {};  // by generation
  double seconds = 0;                                       // of all generations

  std::optional<double> median_at(std::size_t place) const {
    if (ms[place].empty()) return std::nullopt;
    return quartiles_of(ms[place]).median;
  }
};

/// Greedy, and past the context, so that every token reads all before it.
void generate_once(const Settings& settings, Row& row) {
  std::vector<double> stamps;
  stamps.reserve(settings.tokens);
  const Stopwatch watch;
  generate(*row.model, {1}, settings.tokens, {.temperature = 0, .beyond_context = true},
           [&](std::int32_t) {
             stamps.push_back(watch.seconds());
             return true;
           });
  row.seconds += stamps.back();
  for (std::size_t i = 0; i < kPlaces.size(); ++i)
    if (const std::size_t number = kPlaces[i]; number <= stamps.size())
      row.ms[i].push_back(1000 * (stamps[number - 1] - stamps[number - 2]));
}

double tokens_per_second(const Settings& settings, const Row& row) {
  return static_cast<double>(settings.tokens * settings.generations) / row.seconds;
}

void print_table(const Settings& settings, const std::vector<Row>& rows) {
  fmt::print(
      "Size {} (width x heads x layers), context {}, vocabulary {}, greedy, cache, one thread,\n"
      "{} generation{} of {} tokens from a prompt of one.\n"
      "ms at n   from token n - 1 to token n, median over generations\n"
      "tokens/s  all tokens over all time\n\n",
      settings.size, kContext, kVocabulary, settings.generations,
      settings.generations == 1 ? "" : "s", settings.tokens);
  fmt::print("{:<14}", "scheme");
  for (const std::size_t place : kPlaces) fmt::print(" {:>11}", fmt::format("ms at {}", place));
  fmt::print(" {:>10}\n", "tokens/s");
  for (const Row& row : rows) {
    fmt::print("{:<14}", row.scheme);
    if (!row.problem.empty()) {
      fmt::print(" {}\n", row.problem);
      continue;
    }
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
      const auto ms = row.median_at(i);
      fmt::print(" {:>11}", ms ? fmt::format("{:.4f}", *ms) : "-");
    }
    fmt::print(" {:>10.0f}\n", tokens_per_second(settings, row));
  }
}

void print_json(const Settings& settings, const std::vector<Row>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json entry = {{"size", settings.size}, {"scheme", row.scheme}};
    if (!row.problem.empty()) {
      entry["problem"] = row.problem;
    } else {
      for (std::size_t i = 0; i < kPlaces.size(); ++i)
        if (const auto ms = row.median_at(i)) entry["ms_at"][std::to_string(kPlaces[i])] = *ms;
      entry["tokens_per_second"] = tokens_per_second(settings, row);
    }
    json.push_back(entry);
  }
  fmt::print("{}\n", json.dump(2));
}

/// A fresh model that has written a few tokens, so that its first measurement is like the others.
Row prepared(const Size& size, const std::string& scheme) {
  Row row{.scheme = scheme, .problem = {}, .model = nullptr};
  try {
    Rng rng(1, "weights");
    row.model = std::make_unique<Gpt>(model_config(size, scheme), rng);
    generate(*row.model, {1}, 10, {.temperature = 0, .beyond_context = true});
  } catch (const ConfigError& problem) {
    row.problem = problem.what();
  }
  return row;
}

void run(const Settings& settings) {
  check_schemes(settings.schemes);
  check<ConfigError>(settings.tokens > 0, "--tokens must be at least 1, got 0");
  check<ConfigError>(settings.generations > 0, "--generations must be at least 1, got 0");
  const std::vector<std::size_t> extents = parse_extents(settings.size, "WxHxL");
  const Size size{extents[0], extents[1], extents[2], kContext, 1};
  model_config(size, default_scheme()).validate();

  std::vector<Row> rows;
  for (const std::string& scheme : settings.schemes) rows.push_back(prepared(size, scheme));
  // In turn, so that a drift of the machine's clock hits all alike.
  for (std::size_t n = 0; n < settings.generations; ++n)
    for (Row& row : rows) {
      if (!row.problem.empty()) continue;
      try {
        generate_once(settings, row);
      } catch (const PositionError& problem) {
        row.problem = problem.what();
      }
    }
  if (settings.json)
    print_json(settings, rows);
  else
    print_table(settings, rows);
}

void add_settings(CLI::App& app, Settings& settings) {
  cli::add_value(app, "size", settings.size, "WxHxL");
  add_list(app, "schemes", settings.schemes, "a,b,c")->capture_default_str();
  cli::add_value(app, "tokens", settings.tokens, "in a generation");
  cli::add_value(app, "generations", settings.generations, "of each scheme, in turn");
  app.add_flag("--json", settings.json, "one JSON array instead of a table");
}

}  // namespace
}  // namespace phasor::bench

int main(int argc, char** argv) {
  phasor::bench::Settings settings;
  CLI::App app{"How fast tokens are generated, for each scheme"};
  phasor::bench::add_settings(app, settings);
  return phasor::bench::run_program(app, "--schemes none,rope --tokens 1001", argc, argv,
                                    [&] { phasor::bench::run(settings); });
}
