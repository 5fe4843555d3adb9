// What lab 12 and its claims measure on a trained model.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "phasor/data/tasks.hpp"
#include "phasor/train/run.hpp"

namespace phasor {

/// For each name the runs folder/toy-NAME-SEED, by seed, of the longest training that all of them
/// have gone through; all lists are empty when there is none.
std::vector<std::vector<std::filesystem::path>> runs_trained_alike(
    const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Characters of the validation text that a loss is measured on.
inline constexpr std::size_t kMeasuredTokens = 16000;

/// Mean loss (nats per character) over windows of `context` characters, the first of which stands
/// at position `first`. NaN where the scheme has no encoding so far.
double loss_at(const Run& run, const Encoded& text, std::size_t context, double first = 0);

/// Mean loss of the last character of windows as long as in training, as they are and with the
/// characters before the last two in a random order. To a model that sees which characters there
/// are, and not where, the two are the same.
struct OrderCost {
  double intact, shuffled;
};
OrderCost order_cost(const Run& run, const Encoded& text);

/// How a task is trained and tested.
struct TaskPlan {
  Task task;
  std::size_t trained;              ///< examples have lengths from 1 to this
  std::vector<std::size_t> tested;  ///< this, and shorter and longer ones
};
const std::vector<TaskPlan>& task_plans();

/// Examples of each length that a task is tested on. Their share differs from one draw of examples
/// to the next by at most 0.05 (one standard deviation, at a share of one half).
inline constexpr std::size_t kTestExamples = 100;

/// The share of kTestExamples that a model answers without a mistake; NaN where the scheme has no
/// encoding so far.
double task_score(const Gpt& model, Task task, std::size_t length, Workers& workers);

}  // namespace phasor
