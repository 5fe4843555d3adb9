#include "labs/common/training.hpp"

#include "phasor/core/progress.hpp"

namespace phasor {
namespace {

RunReport train_one(const std::string& name, const RunConfig& config, const Corpus& corpus,
                    const std::filesystem::path& folder) {
  Progress progress(fmt::format("{:<10} on {}, seed {}", name, corpus.name, config.train.seed),
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

Evaluation evaluate_run(const std::filesystem::path& folder, const Corpus& corpus,
                        std::size_t token_limit) {
  const Run run = load_run(folder);
  Workers workers(0);
  return evaluate(*run.model, split(run.tokenizer.encode(corpus.text)).validation,
                  {.context = run.config.model.context, .token_limit = token_limit}, workers);
}

}  // namespace

std::vector<Outcome> train_all(const Plan& plan, const Corpus& corpus) {
  std::vector<Outcome> outcomes;
  for (const std::string& scheme : plan.schemes) {
    Outcome& outcome = outcomes.emplace_back();
    outcome.scheme = scheme;
    for (const std::uint64_t seed : plan.seeds) {
      RunConfig config{.text = corpus.name, .model = plan.model, .train = plan.train};
      config.train.seed = seed;
      if (plan.configure)
        plan.configure(config, scheme);
      else
        config.model.scheme = scheme;
      outcome.folders.push_back(plan.folder /
                                fmt::format("{}-{}-{}", short_name(corpus), scheme, seed));
      outcome.runs.push_back(train_one(scheme, config, corpus, outcome.folders.back()));
      if (plan.evaluation_tokens > 0)
        outcome.evaluations.push_back(
            evaluate_run(outcome.folders.back(), corpus, plan.evaluation_tokens));
    }
  }
  return outcomes;
}

Spread final_loss(const Outcome& outcome) {
  std::vector<double> losses;
  for (const Evaluation& evaluation : outcome.evaluations) losses.push_back(evaluation.loss);
  return spread_of(losses);
}

std::string short_name(const Corpus& corpus) {
  return std::filesystem::path(corpus.name).stem().string();
}

Series over_seeds(const std::string& label, std::size_t seeds, std::size_t count,
                  const std::function<double(std::size_t run, std::size_t i)>& value) {
  Series series{.label = label};
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> values;
    for (std::size_t run = 0; run < seeds; ++run) values.push_back(value(run, i));
    const Spread spread = spread_of(values);
    series.y.push_back(spread.mean);
    if (seeds < 2) continue;
    series.low.push_back(spread.least);
    series.high.push_back(spread.most);
  }
  return series;
}

std::string seeds_text(std::size_t seeds) {
  return seeds == 1
             ? "One seed, so a small difference may be noise."
             : fmt::format("Means of {} seeds; the bands reach from the least to the most.", seeds);
}

}  // namespace phasor
