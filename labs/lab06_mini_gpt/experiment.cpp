#include "labs/lab06_mini_gpt/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "phasor/core/progress.hpp"

namespace phasor::lab06 {
namespace {

RunReport train_one(const RunConfig& config, const Corpus& corpus,
                    const std::filesystem::path& folder) {
  Progress progress(
      fmt::format("{:<10} on {}, seed {}", config.model.scheme, corpus.name, config.train.seed),
      static_cast<std::int64_t>(config.train.steps));
  RunOptions options{
      .folder = folder, .if_exists = IfRunExists::overwrite, .final_evaluation = false};
  options.on_step = [&](std::size_t step, double loss) {
    progress.update(static_cast<std::int64_t>(step), fmt::format("loss {:.3f}", loss));
  };
  RunReport report = train_run(config, corpus, options);
  progress.finish();
  return report;
}

Evaluation evaluate_run(const std::filesystem::path& folder, const Corpus& corpus) {
  const Run run = load_run(folder);
  Workers workers(0);
  return evaluate(*run.model, split(run.tokenizer.encode(corpus.text)).validation,
                  {.context = run.config.model.context, .token_limit = 40000}, workers);
}

}  // namespace

std::vector<Outcome> train_all(const Plan& plan, const Corpus& corpus) {
  std::vector<Outcome> outcomes;
  const std::string text = std::filesystem::path(corpus.name).stem().string();
  for (const std::string& scheme : plan.schemes) {
    Outcome& outcome = outcomes.emplace_back();
    outcome.scheme = scheme;
    for (const std::uint64_t seed : plan.seeds) {
      RunConfig config{.text = corpus.name, .model = plan.model, .train = plan.train};
      config.model.scheme = scheme;
      config.train.seed = seed;
      outcome.folders.push_back(plan.folder / fmt::format("{}-{}-{}", text, scheme, seed));
      outcome.runs.push_back(train_one(config, corpus, outcome.folders.back()));
      outcome.evaluations.push_back(evaluate_run(outcome.folders.back(), corpus));
    }
  }
  return outcomes;
}

Spread spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {sum / static_cast<double>(values.size()), *least, *most};
}

Spread final_loss(const Outcome& outcome) {
  std::vector<double> losses;
  for (const Evaluation& evaluation : outcome.evaluations) losses.push_back(evaluation.loss);
  return spread_of(losses);
}

double character_entropy(const std::string& text) {
  const CharTokenizer tokenizer = CharTokenizer::from_text(text);
  const Encoded tokens = tokenizer.encode(text);
  std::vector<double> counts(tokenizer.vocabulary_size(), 0.0);
  for (const std::int32_t token : tokens) ++counts[static_cast<std::size_t>(token)];
  double entropy = 0;
  for (const double count : counts) {
    const double share = count / static_cast<double>(tokens.size());
    entropy -= share * std::log(share);
  }
  return entropy;
}

}  // namespace phasor::lab06
