#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "phasor/cli/commands.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/core/text.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::cli {
namespace {

/// Mean over seeds, and half the distance from the lowest to the highest.
struct Spread {
  double mean = 0, half_range = 0;
};

Spread spread_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {sum / static_cast<double>(values.size()), (*high - *low) / 2};
}

/// What one scheme came to; a context it has no positions for has no loss.
struct Row {
  std::string scheme;
  std::size_t parameters = 0;
  double milliseconds = 0;  // a step, mean over seeds
  std::vector<std::optional<Spread>> losses;
};

class Comparison {
 public:
  explicit Comparison(const CompareCommand& command)
      : command_(command),
        corpus_(load_corpus(command.config.text, command.config.train.seed)),
        validation_(split(CharTokenizer::from_text(corpus_.text).encode(corpus_.text)).validation),
        workers_(command.threads),
        bar_("comparing", static_cast<std::int64_t>(command.schemes.size() * command.seeds *
                                                    command.config.train.steps)) {
    use_single_threaded_blas();
  }

  Row row_of(const std::string& scheme) {
    Row row{scheme, 0, 0, {}};
    std::vector<std::vector<double>> losses(command_.contexts.size());
    for (std::size_t seed = 0; seed < command_.seeds; ++seed) {
      const Run run = trained(scheme, command_.config.train.seed + seed, row);
      for (std::size_t i = 0; i < losses.size(); ++i)
        if (const auto loss = loss_at(run, command_.contexts[i])) losses[i].push_back(*loss);
    }
    for (const std::vector<double>& of_context : losses)
      row.losses.push_back(of_context.empty() ? std::nullopt
                                              : std::optional(spread_of(of_context)));
    return row;
  }

  void finish() { bar_.finish(); }

 private:
  Run trained(const std::string& scheme, std::uint64_t seed, Row& row) {
    RunConfig config = command_.config;
    config.model.scheme = scheme;
    config.train.seed = seed;
    config.train.eval_every = config.train.steps;
    const std::filesystem::path folder = command_.out / fmt::format("{}-{}", scheme, seed);
    double seconds = 0;
    auto before = std::chrono::steady_clock::now();
    const RunReport report =
        train_run(config, corpus_,
                  {.folder = folder,
                   .if_exists = IfRunExists::overwrite,
                   .threads = command_.threads,
                   .final_evaluation = false,
                   .on_step = [&](std::size_t step, double loss) {
                     const auto now = std::chrono::steady_clock::now();
                     // The first step waits for the evaluation before it.
                     if (step > 1) seconds += std::chrono::duration<double>(now - before).count();
                     before = now;
                     bar_.update(++steps_, fmt::format("{}  loss {:.3f}", scheme, loss));
                   }});
    row.parameters = report.parameter_count;
    row.milliseconds +=
        1000 * seconds / static_cast<double>((config.train.steps - 1) * command_.seeds);
    return load_run(folder);
  }

  std::optional<double> loss_at(const Run& run, std::size_t context) {
    try {
      return evaluate(*run.model, validation_, {.context = context, .token_limit = command_.tokens},
                      workers_)
          .loss;
    } catch (const PositionError&) {
      return std::nullopt;
    }
  }

  const CompareCommand& command_;
  Corpus corpus_;
  Encoded validation_;
  Workers workers_;
  Progress bar_;
  std::int64_t steps_ = 0;
};

std::string text_of(const std::optional<Spread>& loss, std::size_t seeds) {
  if (!loss) return "no positions";
  return seeds == 1 ? fmt::format("{:.4f}", loss->mean)
                    : fmt::format("{:.4f} +- {:.4f}", loss->mean, loss->half_range);
}

void print_table(const CompareCommand& command, const std::vector<Row>& rows) {
  const RunConfig& config = command.config;
  fmt::print("{} steps on {}: width {}, {} layers, {} heads, context {}, batch {}, {} seed{}.\n\n",
             config.train.steps, printable(config.text), config.model.width, config.model.layers,
             config.model.heads, config.model.context, config.train.batch, command.seeds,
             command.seeds == 1 ? "" : "s");
  fmt::print("{:<14}", "scheme");
  for (const std::size_t context : command.contexts)
    fmt::print(" {:>18}", fmt::format("loss at {}", context));
  fmt::print(" {:>11} {:>8}\n", "parameters", "ms/step");
  for (const Row& row : rows) {
    fmt::print("{:<14}", row.scheme);
    for (const auto& loss : row.losses) fmt::print(" {:>18}", text_of(loss, command.seeds));
    fmt::print(" {:>11} {:>8.1f}\n", row.parameters, row.milliseconds);
  }
  fmt::print("\nNats per character on the validation text{}.\n",
             command.seeds == 1 ? "; one seed: small differences may be noise, see --seeds"
                                : ", mean over seeds and half of their range: smaller differences "
                                  "are noise");
}

void print_json(const CompareCommand& command, const std::vector<Row>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json losses = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.losses.size(); ++i)
      if (row.losses[i])
        losses[std::to_string(command.contexts[i])] = {{"mean", row.losses[i]->mean},
                                                       {"half_range", row.losses[i]->half_range}};
    json.push_back({{"scheme", row.scheme},
                    {"losses", losses},
                    {"parameters", row.parameters},
                    {"ms_per_step", row.milliseconds}});
  }
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

void run(CompareCommand command) {
  if (command.schemes.empty())
    for (const SchemeEntry& entry : schemes()) command.schemes.push_back(entry.name);
  for (const std::string& scheme : command.schemes) find_scheme(scheme);
  const std::size_t trained_at = command.config.model.context;
  if (command.contexts.empty()) command.contexts = {trained_at, 4 * trained_at};
  check<ConfigError>(command.seeds > 0, "--seeds must be at least 1, got 0");
  check<ConfigError>(command.config.train.steps > 1, "--steps must be at least 2, got {}",
                     command.config.train.steps);
  Comparison comparison(command);
  std::vector<Row> rows;
  for (const std::string& scheme : command.schemes) rows.push_back(comparison.row_of(scheme));
  comparison.finish();
  if (command.json)
    print_json(command, rows);
  else
    print_table(command, rows);
}

}  // namespace phasor::cli
