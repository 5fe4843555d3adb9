// Tasks whose answer is right or wrong, by length: what a model learned on short ones shows on
// longer ones.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/core/rng.hpp"
#include "phasor/data/batches.hpp"
#include "phasor/data/tokenizer.hpp"

namespace phasor {

/// copy      "bdac>" -> "bdac"   n different letters, and the same again
/// reverse   "bdac<" -> "cadb"   from the last to the first
/// addition  "86+53=" -> "301"   two numbers of n digits, 68 + 35 = 103
///
/// Letters do not repeat, so that a line can be solved by content (look for the letter just
/// written, take its neighbour) as well as by counting: a small model learns it, and what its
/// positions are worth shows where the line gets longer. Numbers stand with their lowest digit
/// first, the sum too: the carry then runs in the direction of writing, and a digit needs two
/// others and the carry. With the highest digit first the first digit written would need all of
/// them. (Lee et al. 2023, arXiv 2307.03381, section 3; the tasks are among those of Kazemnejad et
/// al. 2023, arXiv 2305.19466, section 3.) The sum has n + 1 digits, the last of which may be 0.
enum class Task { copy, reverse, addition };

/// copy, reverse, addition.
const std::vector<Task>& all_tasks();
/// "copy", "reverse", "addition".
std::string_view name_of(Task task);

/// One line. The answer begins after the sign that ends the prompt, and ends with a newline.
struct TaskExample {
  std::string prompt, answer;
};

/// One of length n: so many letters, or digits in each number. Throws ConfigError unless
/// 1 <= length <= longest(task).
TaskExample draw_example(Task task, std::size_t length, Rng& rng);
/// 26 letters for copy and reverse; 1000 digits for addition.
std::size_t longest(Task task);

/// `count` examples of one length, those of Rng(seed, "task", task, length): for a test.
std::vector<TaskExample> draw_examples(Task task, std::size_t length, std::size_t count,
                                       std::uint64_t seed);

/// The characters of all tasks.
CharTokenizer task_tokenizer();

/// Characters of a line without its last, the newline: what a model reads of it.
std::size_t line_width(Task task, std::size_t length);

/// One example a row from column 0 on, the rows filled up to the longest line. A target is counted
/// where the answer comes next; elsewhere it is -100, which cross_entropy ignores. So the loss is
/// that of the answers alone: the prompt is noise, and to predict it can only be a waste.
Batch batch_of(const std::vector<TaskExample>& examples, const CharTokenizer& tokenizer,
               std::size_t width);

/// Batches of one task, the length of every example uniform in 1 .. longest. A batch depends on
/// (seed, step, micro) alone.
class TaskBatches {
 public:
  /// Throws ConfigError on an empty batch, or a length that the task has not.
  TaskBatches(Task task, std::size_t longest, std::size_t batch, std::uint64_t seed);

  Batch at(std::uint64_t step, std::uint64_t micro = 0) const;
  /// Columns of every batch: those of the longest line.
  std::size_t width() const { return line_width(task_, longest_); }

 private:
  Task task_;
  std::size_t longest_, batch_;
  std::uint64_t seed_;
  CharTokenizer tokenizer_;
};

}  // namespace phasor
