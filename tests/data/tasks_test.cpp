// Examples of copy, reverse and addition: right answers, no surprises in batches.
#include "phasor/data/tasks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

/// A number written with its lowest digit first.
long value_of(const std::string& digits) {
  return std::stol(std::string(digits.rbegin(), digits.rend()));
}

TEST(Tasks, CopyRepeatsDifferentLetters) {
  for (const std::size_t length : {1, 2, 7, 26})
    for (const TaskExample& example : draw_examples(Task::copy, length, 50, 1)) {
      const std::string letters = example.prompt.substr(0, length);
      EXPECT_EQ(example.prompt, letters + ">");
      EXPECT_EQ(example.answer, letters + "\n");
      EXPECT_EQ(std::set<char>(letters.begin(), letters.end()).size(), length) << letters;
      EXPECT_TRUE(
          std::all_of(letters.begin(), letters.end(), [](char c) { return c >= 'a' && c <= 'z'; }));
    }
}

TEST(Tasks, ReverseTurnsThemRound) {
  for (const TaskExample& example : draw_examples(Task::reverse, 9, 50, 1)) {
    ASSERT_EQ(example.prompt.back(), '<');
    EXPECT_EQ(example.answer,
              std::string(example.prompt.rbegin() + 1, example.prompt.rend()) + "\n");
  }
}

TEST(Tasks, AdditionWritesTheLowestDigitFirst) {
  for (const std::size_t length : {1, 2, 5, 9})
    for (const TaskExample& example : draw_examples(Task::addition, length, 200, 1)) {
      const std::size_t plus = example.prompt.find('+');
      ASSERT_EQ(plus, length);
      ASSERT_EQ(example.prompt.size(), 2 * length + 2);
      ASSERT_EQ(example.prompt.back(), '=');
      ASSERT_EQ(example.answer.size(), length + 2);
      ASSERT_EQ(example.answer.back(), '\n');
      EXPECT_EQ(value_of(example.answer.substr(0, length + 1)),
                value_of(example.prompt.substr(0, plus)) +
                    value_of(example.prompt.substr(plus + 1, length)))
          << example.prompt;
    }
}

TEST(Tasks, AdditionCarriesThroughEveryDigit) {
  // One digit each: all 100 sums, as often as each other.
  std::map<std::string, int> seen;
  for (const TaskExample& example : draw_examples(Task::addition, 1, 20000, 3))
    ++seen[example.prompt];
  EXPECT_EQ(seen.size(), 100u);
  for (const auto& [prompt, count] : seen) {
    // 200 expected, deviation 14: five of them on either side.
    EXPECT_NEAR(count, 200, 70) << prompt;
  }
}

TEST(Tasks, LettersAreDrawnAlikeInEveryPlace) {
  std::map<std::pair<std::size_t, char>, int> seen;
  for (const TaskExample& example : draw_examples(Task::copy, 3, 26000, 3))
    for (std::size_t i = 0; i < 3; ++i) ++seen[{i, example.prompt[i]}];
  EXPECT_EQ(seen.size(), 3u * 26u);
  for (const auto& [place, count] : seen) {
    // 1000 expected, deviation 31: five of them on either side.
    EXPECT_NEAR(count, 1000, 155) << place.first << place.second;
  }
}

TEST(Tasks, ExamplesDependOnSeedTaskAndLength) {
  const auto prompts = [](Task task, std::size_t length, std::uint64_t seed) {
    std::string all;
    for (const TaskExample& example : draw_examples(task, length, 5, seed))
      all += example.prompt.substr(0, 4);
    return all;
  };
  EXPECT_EQ(prompts(Task::copy, 6, 1), prompts(Task::copy, 6, 1));
  EXPECT_NE(prompts(Task::copy, 6, 1), prompts(Task::copy, 6, 2));
  EXPECT_NE(prompts(Task::copy, 6, 1), prompts(Task::copy, 7, 1));
  EXPECT_NE(prompts(Task::copy, 6, 1), prompts(Task::reverse, 6, 1));
}

TEST(Tasks, TokenizerKnowsAllCharacters) {
  const CharTokenizer tokenizer = task_tokenizer();
  EXPECT_EQ(tokenizer.vocabulary_size(), 26u + 10u + 5u);
  for (const Task task : all_tasks())
    for (const TaskExample& example : draw_examples(task, 8, 20, 1))
      EXPECT_EQ(tokenizer.decode(tokenizer.encode(example.prompt + example.answer)),
                example.prompt + example.answer);
}

/// What a row asks for: its characters, and those of its targets that count, others as '.'.
std::pair<std::string, std::string> row_of(const Batch& batch, std::size_t row) {
  const CharTokenizer tokenizer = task_tokenizer();
  std::string inputs, targets;
  for (std::size_t t = 0; t < batch.inputs.shape()[1]; ++t) {
    const auto input = static_cast<std::int32_t>(batch.inputs(row, t));
    inputs += tokenizer.decode({&input, 1});
    const auto target = static_cast<std::int32_t>(batch.targets(row, t));
    targets += target == -100 ? "." : tokenizer.decode({&target, 1});
  }
  return {inputs, targets};
}

TEST(Tasks, OnlyAnswersCount) {
  const std::vector<TaskExample> examples{{"ba>", "ba\n"}, {"86+53=", "301\n"}};
  const Batch batch = batch_of(examples, task_tokenizer(), 10);
  EXPECT_EQ(row_of(batch, 0),
            std::pair(std::string("ba>ba\n\n\n\n\n"), std::string("..ba\n.....")));
  EXPECT_EQ(row_of(batch, 1), std::pair(std::string("86+53=301\n"), std::string(".....301\n.")));
}

TEST(Tasks, ExamplesFitTheirWidthExactly) {
  for (const Task task : all_tasks())
    for (const std::size_t length : {1, 2, 6}) {
      const auto examples = draw_examples(task, length, 3, 1);
      const std::size_t width = line_width(task, length);
      EXPECT_EQ(examples[0].prompt.size() + examples[0].answer.size(), width + 1);
      EXPECT_NO_THROW(batch_of(examples, task_tokenizer(), width));
      expect_error<ConfigError>([&] { batch_of(examples, task_tokenizer(), width - 1); },
                                {"does not fit", "choose"});
    }
}

TEST(Tasks, BatchesMixLengthsAndAreNamedByStep) {
  const TaskBatches batches(Task::copy, 6, 400, 1);
  ASSERT_EQ(batches.width(), 13u);
  const Batch batch = batches.at(3);
  EXPECT_EQ(shape_of(batch.inputs), (Shape{400, 13}));
  std::map<std::size_t, int> lengths;
  for (std::size_t row = 0; row < 400; ++row) ++lengths[row_of(batch, row).first.find('>')];
  EXPECT_EQ(lengths.size(), 6u);
  for (const auto& [length, count] : lengths) {
    // 67 expected, deviation 7.5: five of them on either side.
    EXPECT_NEAR(count, 67, 38) << length;
  }
  EXPECT_EQ(batches.at(3).inputs, batch.inputs);
  EXPECT_NE(batches.at(4).inputs, batch.inputs);
  EXPECT_NE(batches.at(3, 1).inputs, batch.inputs);
  EXPECT_NE(TaskBatches(Task::copy, 6, 400, 2).at(3).inputs, batch.inputs);
}

TEST(Tasks, SayWhatLengthsThereAre) {
  expect_error<ConfigError>([] { draw_examples(Task::copy, 27, 1, 1); }, {"copy", "1 to 26", "27"});
  expect_error<ConfigError>([] { draw_examples(Task::addition, 0, 1, 1); }, {"addition", "0"});
  expect_error<ConfigError>([] { TaskBatches(Task::reverse, 27, 4, 1); }, {"reverse", "27"});
  expect_error<ConfigError>([] { TaskBatches(Task::reverse, 6, 0, 1); }, {"batch of 0"});
}

}  // namespace
}  // namespace phasor
