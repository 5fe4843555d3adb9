#include "labs/common/training.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "phasor/core/progress.hpp"
#include "phasor/course/band.hpp"
#include "phasor/course/runs.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

/// One run of a plan, and where its results go.
struct Job {
  std::string scheme;
  RunConfig config;
  fs::path folder;
  RunReport* report;
  Evaluation* evaluation;  // null: it is not wanted
};

using OnStep = std::function<void(std::size_t step, double loss)>;

Evaluation evaluate_run(const fs::path& folder, const Corpus& corpus, std::size_t token_limit,
                        std::size_t threads) {
  const Run run = load_run(folder);
  Workers workers(threads);
  return evaluate(*run.model, split(run.tokenizer.encode(corpus.text)).validation,
                  {.context = run.config.model.context, .token_limit = token_limit}, workers);
}

void train_one(const Job& job, const Plan& plan, const Corpus& corpus, std::size_t threads,
               const OnStep& on_step) {
  *job.report = train_run(job.config, corpus,
                          {.folder = job.folder,
                           .if_exists = IfRunExists::overwrite,
                           .threads = threads,
                           .final_evaluation = false,
                           .on_step = on_step});
  if (job.evaluation)
    *job.evaluation = evaluate_run(job.folder, corpus, plan.evaluation_tokens, threads);
}

void train_in_turn(const std::vector<Job>& jobs, const Plan& plan, const Corpus& corpus) {
  for (const Job& job : jobs) {
    Progress progress(
        fmt::format("{:<10} on {}, seed {}", job.scheme, corpus.name, job.config.train.seed),
        static_cast<std::int64_t>(job.config.train.steps));
    train_one(job, plan, corpus, 0, [&](std::size_t step, double loss) {
      progress.update(static_cast<std::int64_t>(step), fmt::format("loss {:.3f}", loss));
    });
    progress.finish();
  }
}

void train_side_by_side(const std::vector<Job>& jobs, const Plan& plan, const Corpus& corpus) {
  std::int64_t total = 0, done = 0;
  for (const Job& job : jobs) total += static_cast<std::int64_t>(job.config.train.steps);
  Progress progress(fmt::format("{} runs on {}", jobs.size(), corpus.name), total);
  std::mutex mutex;
  Workers workers(0);
  workers.run(jobs.size(), [&](std::size_t i) {
    train_one(jobs[i], plan, corpus, 1, [&](std::size_t, double loss) {
      const std::lock_guard lock(mutex);
      progress.update(++done, fmt::format("{} loss {:.3f}", jobs[i].scheme, loss));
    });
  });
  progress.finish();
}

std::vector<double> steps_of(const RunReport& run, std::size_t first) {
  std::vector<double> steps;
  for (std::size_t i = first; i < run.records.size(); ++i)
    steps.push_back(static_cast<double>(run.records[i].step));
  return steps;
}

/// The highest value drawn.
double highest(const LinePanel& panel) {
  double most = 0;
  for (const Series& series : panel.series)
    for (const auto* values : {&series.y, &series.high})
      for (const double value : *values) most = std::fmax(most, value);  // a NaN leaves it
  return most;
}

}  // namespace

std::vector<Outcome> train_all(const Plan& plan, const Corpus& corpus) {
  std::vector<Outcome> outcomes(plan.schemes.size());
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Outcome& outcome = outcomes[i];
    outcome.scheme = plan.schemes[i];
    const std::string name = fmt::format("{}-{}", short_name(corpus), outcome.scheme);
    remove_runs(plan.folder, name);
    outcome.runs.resize(plan.seeds.size());
    if (plan.evaluation_tokens > 0) outcome.evaluations.resize(plan.seeds.size());
    for (std::size_t n = 0; n < plan.seeds.size(); ++n) {
      RunConfig config{.text = corpus.name, .model = plan.model, .train = plan.train};
      config.train.seed = plan.seeds[n];
      if (plan.configure)
        plan.configure(config, outcome.scheme);
      else
        config.model.scheme = outcome.scheme;
      outcome.folders.push_back(plan.folder / fmt::format("{}-{}", name, plan.seeds[n]));
      jobs.push_back({outcome.scheme, config, outcome.folders.back(), &outcome.runs[n],
                      plan.evaluation_tokens > 0 ? &outcome.evaluations[n] : nullptr});
    }
  }
  (plan.side_by_side ? train_side_by_side : train_in_turn)(jobs, plan, corpus);
  return outcomes;
}

Spread final_loss(const Outcome& outcome) {
  std::vector<double> losses;
  for (const Evaluation& evaluation : outcome.evaluations) losses.push_back(evaluation.loss);
  return spread_of(losses);
}

Corpus corpus_of(const LabOptions& options) {
  if (!options.text) return load_corpus("toy", options.seed);
  Corpus corpus = load_corpus(options.text->string());
  corpus.name = fs::absolute(*options.text).string();
  return corpus;
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
    append(series, spread_of(values), seeds);
  }
  return series;
}

std::vector<Reference> entropy_line(const Corpus& corpus) {
  if (!corpus.entropy_floor) return {};
  return {{fmt::format("entropy {:.3f}", *corpus.entropy_floor), *corpus.entropy_floor}};
}

std::vector<Panel> loss_panels(const std::vector<Outcome>& outcomes, const Corpus& corpus) {
  LinePanel train{.references = entropy_line(corpus), .key = true}, validation = train;
  for (const Outcome& outcome : outcomes) {
    const std::size_t seeds = outcome.runs.size(), records = outcome.runs[0].records.size();
    // There is no training loss before the first step.
    train.series.push_back(
        over_seeds(outcome.scheme, seeds, records - 1, [&](std::size_t run, std::size_t i) {
          return outcome.runs[run].records[i + 1].train_loss.value_or(NAN);
        }));
    train.series.back().x = steps_of(outcome.runs[0], 1);
    validation.series.push_back(
        over_seeds(outcome.scheme, seeds, records, [&](std::size_t run, std::size_t i) {
          return outcome.runs[run].records[i].validation_loss;
        }));
    validation.series.back().x = steps_of(outcome.runs[0], 0);
  }
  const Axis steps{.title = "step", .low = 0};
  const Axis loss{.title = "loss (nats per character)",
                  .low = 0,
                  .high = 1.05 * std::max(highest(train), highest(validation))};
  return {{.title = "training", .x = steps, .y = loss, .content = train},
          {.title = "validation", .x = steps, .y = loss, .content = validation}};
}

std::string seeds_text(std::size_t seeds) {
  return seeds == 1
             ? "One seed, so a small difference may be noise."
             : fmt::format("Means of {} seeds; the bands reach from the least to the most.", seeds);
}

}  // namespace phasor
