#include "phasor/course/bake_off/measures.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "phasor/core/error.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/ops/cross_entropy.hpp"
#include "phasor/train/exact_match.hpp"

namespace phasor {
namespace {

/// The seed of all test examples: every model answers the same ones.
constexpr std::uint64_t kTestSeed = 12;

/// Windows spread over a text, at most kMeasuredTokens characters in all.
std::vector<Batch> windows_of(const Encoded& text, std::size_t context) {
  const std::size_t in_batch = std::max<std::size_t>(1, 1024 / context);
  const SequentialWindows windows(text, in_batch, context);
  const std::size_t wanted = std::max<std::size_t>(1, kMeasuredTokens / (in_batch * context));
  const std::size_t count = std::min(windows.count(), wanted);
  std::vector<Batch> batches;
  for (std::size_t i = 0; i < count; ++i)
    batches.push_back(windows.at(i * windows.count() / count));
  return batches;
}

/// Of the targets that count, in every batch alike.
double mean_loss(const Gpt& model, const std::vector<Batch>& batches, const Positions& positions) {
  std::vector<double> sums(batches.size());
  std::vector<std::size_t> counts(batches.size());
  Workers workers(0);
  workers.run(batches.size(), [&](std::size_t i) {
    const NoGrad on_this_thread;
    const Indices& targets = batches[i].targets;
    counts[i] = targets.size() -
                static_cast<std::size_t>(std::count(targets.begin(), targets.end(), kIgnore));
    const Var logits = model(batches[i].inputs, {.positions = positions});
    sums[i] = static_cast<double>(cross_entropy(logits, targets).value().data()[0]) *
              static_cast<double>(counts[i]);
  });
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    sum += sums[i];
    count += static_cast<double>(counts[i]);
  }
  return sum / count;
}

/// All columns but the last two in one random order for each row.
void shuffle(Batch& batch, std::uint64_t number) {
  const std::size_t T = batch.inputs.shape()[1];
  for (std::size_t row = 0; row < batch.inputs.shape()[0]; ++row) {
    Rng rng(1, "shuffle", number, row);
    for (std::size_t t = T - 2; t > 1; --t)
      std::swap(batch.inputs(row, t - 1), batch.inputs(row, rng.below(t)));
  }
}

}  // namespace

std::vector<std::vector<std::filesystem::path>> runs_trained_alike(
    const std::filesystem::path& folder, const std::vector<std::string>& names) {
  using Runs = std::vector<std::filesystem::path>;
  std::vector<std::map<std::size_t, Runs>> by_steps(names.size());
  std::map<std::size_t, std::size_t> trained_by;  // steps -> how many names have them
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const auto& run : runs_named(folder, "toy-" + names[i]))
      by_steps[i][load_run_config(run).train.steps].push_back(run);
    for (const auto& [steps, runs] : by_steps[i]) ++trained_by[steps];
  }
  for (auto plan = trained_by.rbegin(); plan != trained_by.rend(); ++plan) {
    if (plan->second != names.size()) continue;
    std::vector<Runs> found;
    for (const auto& runs : by_steps) found.push_back(runs.at(plan->first));
    return found;
  }
  return std::vector<Runs>(names.size());
}

double loss_at(const Run& run, const Encoded& text, std::size_t context, double first) try {
  return mean_loss(*run.model, windows_of(text, context), consecutive_positions(context, first));
} catch (const PositionError&) {
  return std::nan("");
}

OrderCost order_cost(const Run& run, const Encoded& text) {
  const std::size_t T = run.config.model.context;
  std::vector<Batch> batches = windows_of(text, T);
  for (Batch& batch : batches)
    for (std::size_t row = 0; row < batch.targets.shape()[0]; ++row)
      for (std::size_t t = 0; t + 1 < T; ++t) batch.targets(row, t) = kIgnore;
  const double intact = mean_loss(*run.model, batches, consecutive_positions(T));
  for (std::size_t i = 0; i < batches.size(); ++i) shuffle(batches[i], i);
  return {intact, mean_loss(*run.model, batches, consecutive_positions(T))};
}

const std::vector<TaskPlan>& task_plans() {
  static const std::vector<TaskPlan> plans{{Task::copy, 6, {3, 6, 7, 8, 9, 12, 18, 24}},
                                           {Task::reverse, 6, {3, 6, 7, 8, 9, 12, 18, 24}},
                                           {Task::addition, 3, {1, 2, 3, 4, 5, 6, 9, 12}}};
  return plans;
}

double task_score(const Gpt& model, Task task, std::size_t length, Workers& workers) try {
  return exact_match(model, draw_examples(task, length, kTestExamples, kTestSeed), task_tokenizer(),
                     workers);
} catch (const PositionError&) {
  return std::nan("");
}

}  // namespace phasor
