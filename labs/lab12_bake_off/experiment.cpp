#include "labs/lab12_bake_off/experiment.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numbers>

#include "phasor/core/progress.hpp"
#include "phasor/course/runs.hpp"

namespace phasor::lab12 {
namespace {

constexpr std::size_t kLongContext = 128;

/// The base with which the longest wave of a width is `positions` long: 2 pi B^((d-2)/d) = T.
double base_for(std::size_t positions, std::size_t width) {
  const double d = static_cast<double>(width);
  return std::pow(static_cast<double>(positions) / (2 * std::numbers::pi), d / (d - 2));
}

/// Names that are no schemes but a scheme with options.
void configure(RunConfig& config, const std::string& name) {
  config.model.scheme = name.starts_with("sinusoidal_") ? "sinusoidal" : name;
  if (name == "sinusoidal_beside") {
    config.model.options = {{"combine", "concatenate"}};
    // As loud as where they are added: only the columns differ.
    config.model.embedding_scale = EmbeddingScale::on;
  }
  if (name.starts_with("sinusoidal_128")) {
    config.train.batch = config.train.batch * config.model.context / kLongContext;
    config.model.context = kLongContext;
  }
  if (name == "sinusoidal_128_tuned")
    config.model.options = {
        {"base", fmt::format("{:.1f}", base_for(kLongContext, config.model.width))}};
}

/// `schemes` with each of `seeds`.
std::vector<Outcome> train_text(const BakeOff& plan, const std::vector<std::string>& schemes,
                                const std::vector<std::uint64_t>& seeds, const Corpus& corpus) {
  if (schemes.empty()) return {};
  Plan text = plan.text;
  text.schemes = schemes;
  text.seeds = seeds;
  text.configure = configure;
  text.side_by_side = true;
  text.evaluation_tokens = 0;
  return train_all(text, corpus);
}

Row row_of(const Outcome& outcome, const Encoded& validation) {
  Row row{.scheme = outcome.scheme};
  for (std::size_t i = 0; i < outcome.runs.size(); ++i) {
    const Run run = load_run(outcome.folders[i]);
    const std::size_t T = run.config.model.context;
    row.near.push_back(loss_at(run, validation, T));
    row.far.push_back(loss_at(run, validation, 4 * T));
    row.parameters = outcome.runs[i].parameter_count;
  }
  return row;
}

/// One model to be trained on one task.
struct TaskJob {
  const TaskPlan* task;
  RunConfig config;
  std::filesystem::path folder;
  std::vector<double> scores = {};  // at each tested length
};

TaskJob task_job(const BakeOff& plan, const TaskPlan& task, const std::string& scheme,
                 std::uint64_t seed) {
  TaskJob job{
      .task = &task,
      .config = {.text = std::string(name_of(task.task)),
                 .model = plan.text.model,
                 .train = plan.task_training,
                 .symbols = task_tokenizer().symbols()},
      .folder = plan.text.folder / fmt::format("{}-{}-{}", name_of(task.task), scheme, seed)};
  job.config.model.vocabulary = task_tokenizer().vocabulary_size();
  job.config.model.context = line_width(task.task, task.trained);
  job.config.model.scheme = scheme;
  job.config.train.seed = seed;
  return job;
}

/// Trains the model, saves it, and scores it at each tested length.
void train_on(TaskJob& job, const std::function<void(double loss)>& on_step) {
  const RunConfig& config = job.config;
  Workers workers(1);
  Rng rng(config.train.seed, "weights");
  Gpt model(config.model, rng);
  const TaskBatches batches(job.task->task, job.task->trained, config.train.batch,
                            config.train.seed);
  Trainer trainer(
      model, config.train,
      [&batches](std::uint64_t step, std::uint64_t micro) { return batches.at(step, micro); },
      workers);
  while (trainer.steps_done() < config.train.steps) on_step(trainer.step().loss);
  save_run(job.folder, config, model);
  for (const std::size_t length : job.task->tested)
    job.scores.push_back(task_score(model, job.task->task, length, workers));
}

/// Several at a time, each on one core.
void train_side_by_side(std::vector<TaskJob>& jobs, std::size_t steps) {
  Progress progress(fmt::format("{} runs on tasks", jobs.size()),
                    static_cast<std::int64_t>(jobs.size() * steps));
  std::int64_t done = 0;
  std::mutex mutex;
  Workers workers(0);
  workers.run(jobs.size(), [&](std::size_t i) {
    train_on(jobs[i], [&](double loss) {
      const std::lock_guard lock(mutex);
      progress.update(++done, fmt::format("{} on {} loss {:.3f}", jobs[i].config.model.scheme,
                                          jobs[i].config.text, loss));
    });
  });
  progress.finish();
}

void train_tasks(std::vector<Row>& rows, const BakeOff& plan) {
  std::vector<TaskJob> jobs;
  for (const TaskPlan& task : task_plans()) {
    // Left from another time: whoever looks for the runs of a scheme finds those of one plan.
    for (const std::string& scheme : plan.schemes)
      remove_runs(plan.text.folder, fmt::format("{}-{}", name_of(task.task), scheme));
    for (const std::string& scheme : plan.on_tasks)
      for (const std::uint64_t seed : plan.task_seeds)
        jobs.push_back(task_job(plan, task, scheme, seed));
  }
  train_side_by_side(jobs, plan.task_training.steps);
  for (Row& row : rows) {
    if (!std::count(plan.on_tasks.begin(), plan.on_tasks.end(), row.scheme)) continue;
    for (const TaskPlan& task : task_plans()) row.tasks.emplace_back(task.tested.size());
    for (const TaskJob& job : jobs)
      if (job.config.model.scheme == row.scheme)
        for (std::size_t i = 0; i < job.scores.size(); ++i)
          row.tasks[static_cast<std::size_t>(job.task - task_plans().data())][i].push_back(
              job.scores[i]);
  }
}

/// A model and its trainer, to be timed.
struct Lesson {
  std::unique_ptr<Gpt> model;
  std::unique_ptr<Trainer> trainer;

  double seconds(std::size_t steps) const {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < steps; ++i) trainer->step();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
};

}  // namespace

std::vector<Row> bake_off(const BakeOff& plan, const Corpus& corpus) {
  const CharTokenizer tokenizer = CharTokenizer::from_text(corpus.text);
  Encoded validation = split(tokenizer.encode(corpus.text)).validation;
  validation.resize(std::min(validation.size(), kMeasuredTokens));
  std::vector<std::string> once;
  for (const std::string& scheme : plan.schemes)
    if (!std::count(plan.repeated.begin(), plan.repeated.end(), scheme)) once.push_back(scheme);
  std::vector<Outcome> outcomes = train_text(plan, once, {plan.seeds.front()}, corpus);
  for (Outcome& outcome : train_text(plan, plan.repeated, plan.seeds, corpus))
    outcomes.push_back(std::move(outcome));
  train_text(plan, {"sinusoidal_beside", "sinusoidal_128", "sinusoidal_128_tuned"}, plan.seeds,
             corpus);
  std::vector<Row> rows;
  for (const std::string& scheme : plan.schemes)
    for (const Outcome& outcome : outcomes)
      if (outcome.scheme == scheme) rows.push_back(row_of(outcome, validation));
  train_tasks(rows, plan);
  return rows;
}

void measure_steps(std::vector<Row>& rows, const BakeOff& plan, const Corpus& corpus) {
  constexpr std::size_t kRounds = 8, kSteps = 2;
  const CharTokenizer tokenizer = CharTokenizer::from_text(corpus.text);
  const Encoded tokens = tokenizer.encode(corpus.text);
  Workers workers(0);
  const auto lesson = [&](const std::string& scheme) {
    GptConfig config = plan.text.model;
    config.vocabulary = tokenizer.vocabulary_size();
    config.scheme = scheme;
    Rng rng(1, "weights");
    auto model = std::make_unique<Gpt>(config, rng);
    auto trainer = std::make_unique<Trainer>(*model, plan.text.train, tokens, workers);
    return Lesson{std::move(model), std::move(trainer)};
  };
  const Lesson none = lesson("none");
  none.seconds(kSteps);
  for (Row& row : rows) {
    const Lesson own = lesson(row.scheme);
    own.seconds(kSteps);
    double unit = none.seconds(kSteps), least = own.seconds(kSteps);
    for (std::size_t round = 1; round < kRounds; ++round) {
      unit = std::min(unit, none.seconds(kSteps));
      least = std::min(least, own.seconds(kSteps));
    }
    row.step_ratio = least / unit;
  }
}

double seed_noise(const std::vector<Row>& rows, bool far) {
  std::vector<double> widths;
  for (const Row& row : rows) {
    const double width = spread_of(far ? row.far : row.near).width();
    if (row.near.size() > 1 && !std::isnan(width)) widths.push_back(width);
  }
  if (widths.empty()) return 0;
  std::sort(widths.begin(), widths.end());
  const std::size_t half = widths.size() / 2;
  return widths.size() % 2 == 1 ? widths[half] : (widths[half - 1] + widths[half]) / 2;
}

}  // namespace phasor::lab12
