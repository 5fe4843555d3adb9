#include <nlohmann/json.hpp>

#include "phasor/cli/commands.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/progress.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::cli {
namespace {

/// Mean loss over the positions first .. last - 1 of a window.
double mean_over(const std::vector<double>& losses, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t t = first; t < last; ++t) sum += losses[t];
  return sum / static_cast<double>(last - first);
}

/// Positions in ranges that double: 0, 1, 2-3, 4-7, ...
void print_by_position(const std::vector<double>& losses) {
  fmt::print("\n{:>12}  {}\n", "position", "loss");
  for (std::size_t first = 0, last = 1; first < losses.size(); first = last, last *= 2) {
    const std::size_t end = std::min(last, losses.size());
    const std::string range =
        end - first == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, end - 1);
    fmt::print("{:>12}  {:.4f}\n", range, mean_over(losses, first, end));
  }
}

/// A text that was edited since has another validation part, with characters the model has seen.
void check_unchanged(const RunConfig& config, const Corpus& corpus,
                     const std::filesystem::path& folder) {
  RunConfig now = config;
  describe_text(now, corpus.text, CharTokenizer::from_text(corpus.text));
  check<DataError>(now.fingerprint == config.fingerprint,
                   "the text {} has changed since {} was trained on it ({}, then {}); restore it, "
                   "or measure on all of it with --text {}",
                   config.text, folder.string(), now.fingerprint, config.fingerprint, config.text);
}

Run loaded_run(const EvalCommand& command) {
  Run run = load_run(command.run, scaling_option(command.scaling));
  if (command.logit_temperature == 0) return run;
  check<ConfigError>(run.model->has_dropped_positions(),
                     "--logit-temperature is for a run whose positions were dropped, {} has its "
                     "own; leave it out, or train with --drop-positions-at",
                     command.run.string());
  run.model->drop_positions(command.logit_temperature);
  return run;
}

/// The text to measure on.
struct Measured {
  std::string name;
  Encoded tokens;
  std::optional<double> entropy_floor;
};

Measured measured_text(const EvalCommand& command, const Run& run, std::size_t context) {
  const bool own_text = command.text.empty();
  const Corpus corpus =
      load_corpus(own_text ? run.config.text : command.text, run.config.train.seed);
  if (own_text) check_unchanged(run.config, corpus, command.run);
  Measured text{corpus.name + (own_text ? " (validation part)" : ""),
                run.tokenizer.encode(corpus.text), corpus.entropy_floor};
  if (own_text) text.tokens = split(text.tokens).validation;
  check<DataError>(text.tokens.size() > context,
                   "{} has {} tokens, a window of {} needs at least {}; choose a shorter "
                   "--context or a longer --text",
                   text.name, text.tokens.size(), context, context + 1);
  return text;
}

/// Tokens from the start of one window to the next.
std::size_t stride_of(const EvalCommand& command, std::size_t context) {
  check<ConfigError>(command.sliding || command.stride == 0,
                     "--stride goes with --sliding, got it alone; add --sliding or leave it out");
  if (!command.sliding) return context;
  return command.stride == 0 ? std::max<std::size_t>(1, context / 4) : command.stride;
}

void print_json(const Run& run, const Measured& text, const EvaluateOptions& options,
                const Evaluation& result) {
  nlohmann::ordered_json json{{"text", text.name},
                              {"scheme", run.config.model.scheme},
                              {"options", run.model->config().options},
                              {"context", options.context},
                              {"trained_at", run.config.model.context},
                              {"stride", options.stride},
                              {"tokens", result.tokens},
                              {"loss", result.loss},
                              {"perplexity", result.perplexity()},
                              {"by_position", result.by_position}};
  if (text.entropy_floor) json["entropy_floor"] = *text.entropy_floor;
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

void run(const EvalCommand& command) {
  const Run loaded = loaded_run(command);
  const std::size_t trained_at = loaded.config.model.context;
  const std::size_t context = command.context == 0 ? trained_at : command.context;
  const std::size_t stride = stride_of(command, context);
  const Measured text = measured_text(command, loaded, context);

  use_single_threaded_blas();
  Workers workers(command.threads);
  Progress progress("evaluating", 1000);
  const EvaluateOptions options{.context = context,
                                .token_limit = command.tokens,
                                .stride = stride,
                                .on_progress = [&](double share) {
                                  progress.update(static_cast<std::int64_t>(1000 * share));
                                }};
  const Evaluation result = evaluate(*loaded.model, text.tokens, options, workers);
  progress.finish();

  if (command.json) return print_json(loaded, text, options, result);
  fmt::print("{}{} on {}: {} of {} tokens (trained at {}), {} tokens.\n",
             loaded.config.model.scheme,
             command.scaling.empty() ? "" : fmt::format(", scaling {}", command.scaling), text.name,
             command.sliding ? fmt::format("windows that slide by {}", stride) : "windows", context,
             trained_at, result.tokens);
  fmt::print("Loss {:.4f} nats per token, perplexity {:.3f}.\n", result.loss, result.perplexity());
  if (text.entropy_floor)
    fmt::print("The text's entropy, the floor of every loss: {:.4f}.\n", *text.entropy_floor);
  print_by_position(result.by_position);
}

}  // namespace phasor::cli
