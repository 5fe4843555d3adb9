#include "labs/lab06_mini_gpt/experiment.hpp"

#include <algorithm>
#include <mutex>

#include "phasor/core/progress.hpp"
#include "phasor/course/order/blanks.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/course/training/measures.hpp"

namespace phasor::lab06 {
namespace {

/// A few seeds from the lab's own on.
std::vector<std::uint64_t> seeds_from(const Lab& lab, std::size_t count) {
  std::vector<std::uint64_t> seeds;
  for (std::size_t i = 0; i < count; ++i) seeds.push_back(lab.options().seed + i);
  return seeds;
}

constexpr std::size_t kDepths[] = {1, 2, 3};
constexpr std::size_t kAblationContext = 24;

/// A model of the ablation.
struct Ablated {
  std::string scheme;
  std::size_t layers;
};

std::vector<Ablated> ablated() {
  std::vector<Ablated> all;
  for (const std::size_t layers : kDepths)
    for (const char* scheme : {kRemoved, "none"}) all.push_back({scheme, layers});
  return all;
}

/// Removes what an earlier run of the lab left, whatever its depths and seeds.
void remove_ablation(const std::filesystem::path& runs) {
  for (std::size_t layers = 1; layers <= kDeepest; ++layers)
    for (const bool causal : {true, false})
      for (const char* scheme : {kRemoved, "none"})
        remove_runs(runs, ablation_name(causal, scheme, layers));
}

/// The models that see both sides, two at a time.
void train_unmasked(const Plan& plan, const Corpus& toy, std::size_t steps) {
  struct Job {
    RunConfig config;
    std::filesystem::path folder;
  };
  std::vector<Job> jobs;
  for (const Ablated& model : ablated()) {
    const std::string name = ablation_name(false, model.scheme, model.layers);
    for (const std::uint64_t seed : plan.seeds) {
      RunConfig config{.text = toy.name, .model = plan.model, .train = plan.train};
      config.model.scheme = model.scheme;
      config.model.layers = model.layers;
      config.train.seed = seed;
      config.train.steps = steps;
      jobs.push_back({config, plan.folder / fmt::format("{}-{}", name, seed)});
    }
  }
  std::int64_t total = 0, done = 0;
  for (const Job& job : jobs) total += static_cast<std::int64_t>(job.config.train.steps);
  Progress progress(fmt::format("{} runs on blanks", jobs.size()), total);
  std::mutex mutex;
  Workers workers(0);
  workers.run(jobs.size(), [&](std::size_t i) {
    train_on_blanks(jobs[i].config, toy, jobs[i].folder, 1, [&](std::size_t, double loss) {
      const std::lock_guard lock(mutex);
      progress.update(++done, fmt::format("{} loss {:.3f}", jobs[i].config.model.scheme, loss));
    });
  });
  progress.finish();
}

}  // namespace

TrainConfig training(std::size_t steps, std::size_t records, double lr) {
  TrainConfig train;
  train.batch = 16;
  train.steps = steps;
  train.warmup = std::min<std::size_t>(20, steps / 2);
  train.lr = lr;
  train.min_lr = lr / 10;
  train.eval_every = std::max<std::size_t>(1, steps / records);
  train.eval_tokens = 4000;
  return train;
}

std::size_t steps_or(std::size_t asked, const Lab& lab, std::size_t quick, std::size_t full) {
  return asked > 0 ? asked : lab.full() ? full : quick;
}

Plan small_plan(const Lab& lab, std::size_t seeds) {
  Plan plan;
  plan.seeds = seeds_from(lab, seeds);
  plan.folder = lab.options().out / "runs";
  plan.side_by_side = true;
  plan.evaluation_tokens = 0;
  return plan;
}

Plan comparison_plan(const Lab& lab, std::size_t steps) {
  Plan plan;
  plan.schemes = {"none", "sinusoidal", "learned", "rope", "alibi"};
  plan.folder = lab.options().out / "runs";
  plan.model.context = 64;
  plan.seeds = seeds_from(lab, lab.full() ? 3 : 1);
  plan.train = training(steps_or(steps, lab, 240, 1000), lab.full() ? 20 : 10, 6e-3);
  plan.evaluation_tokens = 20000;
  return plan;
}

void train_ablation(const Lab& lab, const Corpus& toy, std::size_t steps) {
  Plan plan = small_plan(lab, lab.full() ? 3 : 1);
  plan.model.context = kAblationContext;
  plan.train = training(steps_or(steps, lab, 100, 400), 1, 4e-3);
  const std::string prefix = short_name(toy) + "-";
  for (const Ablated& model : ablated())
    plan.schemes.push_back(ablation_name(true, model.scheme, model.layers).substr(prefix.size()));
  plan.configure = [](RunConfig& config, const std::string& name) {
    for (const Ablated& model : ablated())
      if (ablation_name(true, model.scheme, model.layers).ends_with(name)) {
        config.model.scheme = model.scheme;
        config.model.layers = model.layers;
      }
  };
  remove_ablation(plan.folder);
  train_all(plan, toy);
  train_unmasked(plan, toy, steps_or(steps, lab, 160, 600));
}

void train_mini_gpt(const Lab& lab, const Corpus& toy, std::size_t steps) {
  Plan plan = small_plan(lab, lab.full() ? 3 : 1);
  plan.model.context = kMiniGptContext;
  plan.train = training(steps_or(steps, lab, 200, 1500), lab.full() ? 15 : 10, 6e-3);
  plan.train.batch = lab.full() ? 8 : 4;
  const std::string prefix = short_name(toy) + "-";
  for (const bool on : {true, false})
    plan.schemes.push_back(mini_gpt_name(on).substr(prefix.size()));
  plan.configure = [](RunConfig& config, const std::string& name) {
    config.model.scheme = mini_gpt_name(true).ends_with(name) ? "sinusoidal" : "none";
  };
  train_all(plan, toy);
}

void train_rivals(const Lab& lab, const Corpus& toy, std::size_t steps) {
  Plan plan = small_plan(lab, lab.full() ? 5 : 3);
  plan.model.context = 32;
  plan.model.width = 32;
  plan.train = training(steps_or(steps, lab, 120, 3000), lab.full() ? 15 : 8, 6e-3);
  const std::string prefix = short_name(toy) + "-";
  for (const char* scheme : {"sinusoidal", "learned"})
    plan.schemes.push_back(rival_name(scheme).substr(prefix.size()));
  plan.configure = [](RunConfig& config, const std::string& name) {
    config.model.scheme = name.substr(name.rfind('-') + 1);
  };
  train_all(plan, toy);
}

}  // namespace phasor::lab06
