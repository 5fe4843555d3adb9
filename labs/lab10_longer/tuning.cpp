#include "labs/lab10_longer/tuning.hpp"

#include <mutex>

#include "phasor/core/progress.hpp"
#include "phasor/train/checkpoint.hpp"

namespace phasor::lab10 {
namespace {

namespace fs = std::filesystem;

/// As many characters in a step as before, at a rate that adjusts and does not start anew.
RunConfig tuned_config(const fs::path& folder, const std::string& kind, std::size_t steps) {
  RunConfig config = load_run_config(folder);
  const std::size_t T = config.model.context;
  config.model.options = kind == "none" ? OptionValues() : scaled(kind, kTunedMultiple);
  // The ramp goes by the length that the frequencies were trained at.
  if (kind == "yarn") config.model.options.insert_or_assign("original", fmt::to_string(T));
  config.model.context = kTunedMultiple * T;
  config.train.batch = std::max<std::size_t>(1, config.train.batch / kTunedMultiple);
  config.train.steps = steps;
  config.train.lr /= 6;
  config.train.min_lr /= 6;
  config.train.warmup = std::min<std::size_t>(5, steps);
  return config;
}

struct Job {
  fs::path from, to;
  RunConfig config;
  double before = 0, after = 0;
};

void run(Job& job, const Split& text, const std::function<void(double)>& on_step) {
  Rng rng(0, "weights");
  Gpt model(job.config.model, rng);
  load_weights(job.from / "model.safetensors", model);
  Workers workers(1);
  const auto loss = [&] {
    return evaluate(model, text.validation, {.context = job.config.model.context}, workers).loss;
  };
  job.before = loss();
  Trainer trainer(model, job.config.train, text.train, workers);
  while (trainer.steps_done() < job.config.train.steps) on_step(trainer.step().loss);
  job.after = loss();
  save_run(job.to, job.config, model);
}

}  // namespace

std::vector<Tuned> tune(const Outcome& rope, const Corpus& corpus, std::size_t steps,
                        std::size_t tokens) {
  Split text = split(CharTokenizer::from_text(corpus.text).encode(corpus.text));
  text.validation.resize(std::min(text.validation.size(), tokens + 1));
  const std::vector<std::string> kinds{"none", "pi", "ntk", "yarn"};
  std::vector<Job> jobs;
  for (const std::string& kind : kinds) {
    const std::string name = fmt::format("{}-tuned_{}", short_name(corpus), kind);
    const fs::path runs = rope.folders[0].parent_path();
    remove_runs(runs, name);
    for (const fs::path& folder : rope.folders) {
      const RunConfig config = tuned_config(folder, kind, steps);
      jobs.push_back({folder, runs / fmt::format("{}-{}", name, config.train.seed), config});
    }
  }
  Progress progress("training on longer windows", static_cast<std::int64_t>(jobs.size() * steps));
  std::int64_t done = 0;
  std::mutex mutex;
  Workers workers(0);
  workers.run(jobs.size(), [&](std::size_t i) {
    run(jobs[i], text, [&](double loss) {
      const std::lock_guard lock(mutex);
      progress.update(++done, fmt::format("loss {:.3f}", loss));
    });
  });
  progress.finish();
  std::vector<Tuned> result;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    std::vector<double> before, after;
    for (std::size_t n = 0; n < rope.folders.size(); ++n) {
      before.push_back(jobs[k * rope.folders.size() + n].before);
      after.push_back(jobs[k * rope.folders.size() + n].after);
    }
    result.push_back({kinds[k], spread_of(before), spread_of(after)});
  }
  return result;
}

}  // namespace phasor::lab10
