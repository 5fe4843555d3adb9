// The share of answers that are right: one pass must say what generation says.
#include "phasor/train/exact_match.hpp"

#include "phasor/model/generate.hpp"
#include "phasor/tensor/gemm.hpp"
#include "phasor/train/trainer.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/nn/parameter_gradcheck.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

GptConfig task_config(const std::string& scheme, std::size_t context) {
  GptConfig config;
  config.vocabulary = task_tokenizer().vocabulary_size();
  config.width = 16;
  config.heads = 2;
  config.context = context;
  config.scheme = scheme;
  return config;
}

/// Trained for so long that it gets some answers right and some wrong.
std::unique_ptr<Gpt> half_trained(const std::string& scheme, std::size_t longest) {
  use_single_threaded_blas();
  const TaskBatches batches(Task::copy, longest, 16, 1);
  Rng rng(1, "weights");
  auto model = std::make_unique<Gpt>(task_config(scheme, batches.width()), rng);
  TrainConfig config;
  config.steps = 150;
  config.lr = 1e-2;
  config.warmup = 10;
  Workers workers(2);
  Trainer trainer(
      *model, config,
      [&](std::uint64_t step, std::uint64_t micro) { return batches.at(step, micro); }, workers);
  for (std::size_t i = 0; i < config.steps; ++i) trainer.step();
  return model;
}

/// The share of answers that greedy generation, token by token, writes to the end.
double generated_share(const Gpt& model, const std::vector<TaskExample>& examples) {
  const CharTokenizer tokenizer = task_tokenizer();
  std::size_t right = 0;
  for (const TaskExample& example : examples) {
    const std::vector<std::int32_t> tokens =
        generate(model, tokenizer.encode(example.prompt), example.answer.size(),
                 {.temperature = 0, .beyond_context = true});
    right += tokenizer.decode(tokens) == example.answer ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(examples.size());
}

REAL_TEST(ExactMatch, is_what_generation_gives) {
  for (const char* scheme : {"none", "learned", "rope", "alibi"}) {
    const auto model = half_trained(scheme, 3);
    Workers workers(2);
    double some = 0;
    for (const std::size_t length : {1, 2, 3, 5}) {
      if (std::string(scheme) == "learned" && length > 3) continue;
      const auto examples = draw_examples(Task::copy, length, 70, 5);
      const double share = exact_match(*model, examples, task_tokenizer(), workers);
      EXPECT_EQ(share, generated_share(*model, examples)) << scheme << ", length " << length;
      if (share > 0 && share < 1) ++some;
    }
    // Were all answers right or all wrong, nothing would have been compared.
    EXPECT_GT(some, 0) << scheme;
  }
}

REAL_TEST(ExactMatch, mixes_tasks_and_lengths) {
  const auto model = half_trained("rope", 3);
  std::vector<TaskExample> examples = draw_examples(Task::copy, 1, 40, 5);
  for (const TaskExample& example : draw_examples(Task::copy, 3, 40, 5))
    examples.push_back(example);
  for (const TaskExample& example : draw_examples(Task::addition, 4, 10, 5))
    examples.push_back(example);
  Workers one(1), three(3);
  const double share = exact_match(*model, examples, task_tokenizer(), one);
  EXPECT_EQ(share, generated_share(*model, examples));
  EXPECT_EQ(share, exact_match(*model, examples, task_tokenizer(), three));
}

REAL_TEST(ExactMatch, says_where_positions_end) {
  Rng rng(1, "weights");
  const Gpt model(task_config("learned", 7), rng);
  Workers workers(2);
  EXPECT_NO_THROW(
      exact_match(model, draw_examples(Task::copy, 3, 2, 1), task_tokenizer(), workers));
  EXPECT_THROW(exact_match(model, draw_examples(Task::copy, 4, 2, 1), task_tokenizer(), workers),
               PositionError);
  expect_error<DataError>([&] { exact_match(model, {}, task_tokenizer(), workers); },
                          {"no example"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
