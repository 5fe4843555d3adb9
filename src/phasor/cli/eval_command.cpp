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

}  // namespace

void run(const EvalCommand& command) {
  const Run loaded = load_run(command.run);
  const std::size_t context = command.context == 0 ? loaded.config.model.context : command.context;
  const bool own_text = command.text.empty();
  const Corpus corpus =
      load_corpus(own_text ? loaded.config.text : command.text, loaded.config.train.seed);
  if (own_text) check_unchanged(loaded.config, corpus, command.run);
  Encoded tokens = loaded.tokenizer.encode(corpus.text);
  if (own_text) tokens = split(tokens).validation;
  const std::string name = corpus.name + (own_text ? " (validation part)" : "");
  check<DataError>(tokens.size() > context,
                   "{} has {} tokens, a window of {} needs at least {}; choose a shorter "
                   "--context or a longer --text",
                   name, tokens.size(), context, context + 1);

  use_single_threaded_blas();
  Workers workers(command.threads);
  Progress progress("evaluating", 1000);
  const Evaluation result = evaluate(
      *loaded.model, tokens,
      {.context = context,
       .token_limit = command.tokens,
       .on_progress =
           [&](double share) { progress.update(static_cast<std::int64_t>(1000 * share)); }},
      workers);
  progress.finish();

  if (command.json) {
    nlohmann::ordered_json json{{"text", name},
                                {"scheme", loaded.config.model.scheme},
                                {"context", context},
                                {"trained_at", loaded.config.model.context},
                                {"tokens", result.tokens},
                                {"loss", result.loss},
                                {"perplexity", result.perplexity()},
                                {"by_position", result.by_position}};
    if (corpus.entropy_floor) json["entropy_floor"] = *corpus.entropy_floor;
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{} on {}: windows of {} tokens (trained at {}), {} tokens.\n",
             loaded.config.model.scheme, name, context, loaded.config.model.context, result.tokens);
  fmt::print("Loss {:.4f} nats per token, perplexity {:.3f}.\n", result.loss, result.perplexity());
  if (corpus.entropy_floor)
    fmt::print("The text's entropy, the floor of every loss: {:.4f}.\n", *corpus.entropy_floor);
  print_by_position(result.by_position);
}

}  // namespace phasor::cli
