#include "phasor/data/tasks.hpp"

#include <algorithm>
#include <utility>

#include "phasor/core/error.hpp"
#include "phasor/core/ignore.hpp"

namespace phasor {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";

/// The first `length` letters of a shuffled alphabet (Fisher and Yates).
std::string different_letters(std::size_t length, Rng& rng) {
  std::string letters(kLetters);
  for (std::size_t i = 0; i < length; ++i)
    std::swap(letters[i], letters[i + rng.below(letters.size() - i)]);
  return letters.substr(0, length);
}

/// Lowest digit first; the highest may be 0.
std::string digits(std::size_t length, Rng& rng) {
  std::string result;
  for (std::size_t i = 0; i < length; ++i) result += static_cast<char>('0' + rng.below(10));
  return result;
}

/// Of two numbers of equally many digits, lowest first: one digit more than they have.
std::string sum_of(const std::string& a, const std::string& b) {
  std::string result;
  int carry = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int sum = (a[i] - '0') + (b[i] - '0') + carry;
    result += static_cast<char>('0' + sum % 10);
    carry = sum / 10;
  }
  return result + static_cast<char>('0' + carry);
}

void check_length(Task task, std::size_t length) {
  check<ConfigError>(length >= 1 && length <= longest(task),
                     "an example of {} has a length from 1 to {}, got {}", name_of(task),
                     longest(task), length);
}

}  // namespace

const std::vector<Task>& all_tasks() {
  static const std::vector<Task> tasks{Task::copy, Task::reverse, Task::addition};
  return tasks;
}

std::string_view name_of(Task task) {
  return task == Task::copy ? "copy" : task == Task::reverse ? "reverse" : "addition";
}

std::size_t longest(Task task) { return task == Task::addition ? 1000 : kLetters.size(); }

TaskExample draw_example(Task task, std::size_t length, Rng& rng) {
  check_length(task, length);
  if (task == Task::addition) {
    const std::string a = digits(length, rng), b = digits(length, rng);
    return {a + "+" + b + "=", sum_of(a, b) + "\n"};
  }
  const std::string letters = different_letters(length, rng);
  if (task == Task::copy) return {letters + ">", letters + "\n"};
  return {letters + "<", std::string(letters.rbegin(), letters.rend()) + "\n"};
}

std::vector<TaskExample> draw_examples(Task task, std::size_t length, std::size_t count,
                                       std::uint64_t seed) {
  Rng rng(seed, "task", static_cast<std::uint64_t>(task), length);
  std::vector<TaskExample> examples;
  for (std::size_t i = 0; i < count; ++i) examples.push_back(draw_example(task, length, rng));
  return examples;
}

CharTokenizer task_tokenizer() {
  return CharTokenizer::from_text(std::string(kLetters) + "0123456789<>+=\n");
}

std::size_t line_width(Task task, std::size_t length) {
  return task == Task::addition ? 3 * length + 3 : 2 * length + 1;
}

Batch batch_of(const std::vector<TaskExample>& examples, const CharTokenizer& tokenizer,
               std::size_t width) {
  const Shape shape = {examples.size(), width};
  Batch batch{Indices::from_shape(shape), Indices::from_shape(shape)};
  const std::int32_t filling = tokenizer.encode("\n").front();
  batch.inputs.fill(filling);
  batch.targets.fill(kIgnore);
  for (std::size_t row = 0; row < examples.size(); ++row) {
    const auto& [prompt, answer] = examples[row];
    const Encoded line = tokenizer.encode(prompt + answer);
    check<ConfigError>(
        line.size() <= width + 1,
        "an example of {} characters does not fit in a row of {}; choose a wider one", line.size(),
        width);
    for (std::size_t t = 0; t + 1 < line.size(); ++t) {
      batch.inputs(row, t) = line[t];
      if (t + 1 >= prompt.size()) batch.targets(row, t) = line[t + 1];
    }
  }
  return batch;
}

TaskBatches::TaskBatches(Task task, std::size_t longest, std::size_t batch, std::uint64_t seed)
    : task_(task), longest_(longest), batch_(batch), seed_(seed), tokenizer_(task_tokenizer()) {
  check_length(task, longest);
  check<ConfigError>(batch > 0, "a batch of 0 examples holds nothing; choose 1 or more");
}

Batch TaskBatches::at(std::uint64_t step, std::uint64_t micro) const {
  Rng rng(seed_, "batch", step, micro);
  std::vector<TaskExample> examples;
  for (std::size_t row = 0; row < batch_; ++row)
    examples.push_back(draw_example(task_, 1 + rng.below(longest_), rng));
  return batch_of(examples, tokenizer_, width());
}

}  // namespace phasor
