// Weights and optimizer on disk: everything comes back, and nothing of another model gets in.
#include "phasor/train/checkpoint.hpp"

#include "tests/core/expect_error.hpp"
#include "tests/model/tiny.hpp"
#include "tests/real_test.hpp"
#include "tests/train/scratch.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

Encoded random_text() {
  Rng rng(5, "text");
  Encoded text;
  for (std::size_t i = 0; i < 200; ++i) text.push_back(static_cast<std::int32_t>(rng.below(11)));
  return text;
}

struct Lesson {
  std::unique_ptr<Gpt> model;
  Workers workers;
  Trainer trainer;
  explicit Lesson(const GptConfig& config, std::uint64_t seed = 1)
      : model(initial_model(config, seed)),
        workers(2),
        trainer(*model, {.batch = 3, .steps = 20, .warmup = 2}, random_text(), workers) {}
  void train(int steps) {
    for (int step = 0; step < steps; ++step) trainer.step();
  }
};

/// Parameters, both moments and the number of steps.
std::vector<Tensor> state_of(Lesson& lesson) {
  std::vector<Tensor> result;
  for (const NamedParameter& parameter : lesson.model->parameters())
    result.push_back(parameter.value.value());
  for (const Tensor& moment : lesson.trainer.optimizer().first_moments()) result.push_back(moment);
  for (const Tensor& moment : lesson.trainer.optimizer().second_moments()) result.push_back(moment);
  result.push_back(scalar(static_cast<Real>(lesson.trainer.steps_done())));
  return result;
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!identical(a[i], b[i])) return false;
  return true;
}

REAL_TEST(Checkpoint, brings_weights_back) {
  const auto path = scratch_folder() / "model.safetensors";
  for (const SchemeEntry& entry : schemes())
    for (const bool tied : {true, false}) {
      GptConfig config = tiny_config(entry.name);
      config.tied = tied;
      const auto model = lively_model(config);
      save_weights(path, *model);
      const auto other = initial_model(config, 9);
      const Indices tokens = random_tokens(2, 5, 11);
      EXPECT_FALSE(identical((*other)(tokens).value(), (*model)(tokens).value()));
      load_weights(path, *other);
      EXPECT_TRUE(identical((*other)(tokens).value(), (*model)(tokens).value())) << entry.name;

      const TensorFile file = read_safetensors(path);
      EXPECT_EQ(file.metadata, (std::map<std::string, std::string>{{"format", "pt"}}));
      const auto parameters = model->parameters();
      ASSERT_EQ(file.tensors.size(), parameters.size());
      for (std::size_t i = 0; i < parameters.size(); ++i)
        EXPECT_EQ(file.tensors[i].name, parameters[i].path);
    }
}

REAL_TEST(Checkpoint, goes_on_as_if_it_had_never_stopped) {
  const auto path = scratch_folder() / "checkpoint.safetensors";
  for (const SchemeEntry& entry : schemes()) {
    GptConfig config = tiny_config(entry.name);
    config.dropout = 0.2;
    Lesson whole(config), first(config), second(config, 9);
    whole.train(5);
    first.train(3);
    save_checkpoint(path, first.trainer);
    second.train(1);  // what it holds before must not matter
    load_checkpoint(path, second.trainer);
    EXPECT_TRUE(same(state_of(second), state_of(first))) << entry.name;
    EXPECT_EQ(second.trainer.steps_done(), 3U);
    second.train(2);
    EXPECT_TRUE(same(state_of(second), state_of(whole))) << entry.name;
  }
}

/// A change to a file that was good, and what the message must say.
struct Damage {
  std::string name;
  std::function<void(TensorFile&)> change;
  std::vector<std::string> parts;
};

std::vector<Damage> damages() {
  return {{"a tensor is missing",
           [](TensorFile& file) { file.tensors.erase(file.tensors.begin() + 1); },
           {"has no 'blocks.0.norm1.weight'", "another model"}},
          {"the last is missing", [](TensorFile& file) { file.tensors.pop_back(); }, {"has no '"}},
          {"a tensor has another name",
           [](TensorFile& file) { file.tensors[0].name = "token_embeddings.weight"; },
           {"has no 'token_embedding.weight'"}},
          {"a tensor is transposed",
           [](TensorFile& file) {
             file.tensors[0].value = zeros({12, 11});
           },
           {"'token_embedding.weight' has shape [12, 11]", "needs [11, 12]"}},
          {"a tensor has an axis more",
           [](TensorFile& file) {
             file.tensors.back().value.reshape({1, 11, 12});
           },
           {"has shape [1, 11, 12]", "needs [11, 12]"}},
          {"a tensor too many",
           [](TensorFile& file) {
             file.tensors.push_back({"head.bias", zeros({11})});
           },
           {"another model"}}};
}

REAL_TEST(Checkpoint, refuses_weights_that_do_not_fit_and_leaves_the_model_as_it_was) {
  const auto path = scratch_folder() / "weights.safetensors";
  for (const Damage& damage : damages()) {
    SCOPED_TRACE(damage.name);
    Lesson lesson(tiny_config("rope"));
    const std::vector<Tensor> before = state_of(lesson);
    save_weights(path, *lively_model(tiny_config("rope")));
    TensorFile file = read_safetensors(path);
    damage.change(file);
    write_safetensors(path, file);
    for (const std::string& part : damage.parts)
      expect_error<CheckpointError>([&] { load_weights(path, *lesson.model); },
                                    {"weights.safetensors", part});
    EXPECT_TRUE(same(state_of(lesson), before));
  }
}

REAL_TEST(Checkpoint, refuses_checkpoints_that_do_not_fit_and_leaves_the_trainer_as_it_was) {
  const auto path = scratch_folder() / "checkpoint.safetensors";
  std::vector<Damage> all = damages();
  all.push_back({"a moment is missing",
                 [](TensorFile& file) {
                   std::erase_if(file.tensors, [](const NamedTensor& tensor) {
                     return tensor.name == "adamw.second.norm.bias";
                   });
                 },
                 {"has no 'adamw.second.norm.bias'"}});
  for (const std::string steps : {"", "many", "-1", "3.5", "3 ", "99999999999999999999999"})
    all.push_back({"steps '" + steps + "'",
                   [steps](TensorFile& file) { file.metadata["steps"] = steps; },
                   {"how many steps", "'" + steps + "'"}});
  all.push_back({"no steps", [](TensorFile& file) { file.metadata.clear(); }, {"no checkpoint"}});
  Lesson good(tiny_config("rope"), 9);
  good.train(2);
  for (const Damage& damage : all) {
    SCOPED_TRACE(damage.name);
    Lesson lesson(tiny_config("rope"));
    lesson.train(1);
    const std::vector<Tensor> before = state_of(lesson);
    save_checkpoint(path, good.trainer);
    TensorFile file = read_safetensors(path);
    damage.change(file);
    write_safetensors(path, file);
    for (const std::string& part : damage.parts)
      expect_error<CheckpointError>([&] { load_checkpoint(path, lesson.trainer); },
                                    {"checkpoint.safetensors", part});
    EXPECT_TRUE(same(state_of(lesson), before));
  }
}

REAL_TEST(Checkpoint, refuses_the_weights_of_another_model) {
  const auto path = scratch_folder() / "weights.safetensors";
  using Change = std::function<void(GptConfig&)>;
  const std::vector<Change> changes{
      [](GptConfig& c) { c.width = 24; },     [](GptConfig& c) { c.layers = 1; },
      [](GptConfig& c) { c.layers = 3; },     [](GptConfig& c) { c.vocabulary = 10; },
      [](GptConfig& c) { c.mlp_ratio = 3; },  [](GptConfig& c) { c.norm = NormKind::rms; },
      [](GptConfig& c) { c.tied = true; },    [](GptConfig& c) { c.context = 9; },
      [](GptConfig& c) { c.scheme = "none"; }};
  const auto model = initial_model(tiny_config("learned"));
  for (const Change& change : changes) {
    GptConfig config = tiny_config("learned");
    change(config);
    save_weights(path, *lively_model(config));
    expect_error<CheckpointError>([&] { load_weights(path, *model); }, {"another model"});
  }
  Lesson lesson(tiny_config("learned"));
  save_checkpoint(path, lesson.trainer);  // weights are in it, and more
  expect_error<CheckpointError>([&] { load_weights(path, *model); }, {"another model"});
  save_weights(path, *model);
  expect_error<CheckpointError>([&] { load_checkpoint(path, lesson.trainer); }, {"no checkpoint"});
}

REAL_TEST(Checkpoint, says_when_a_file_is_missing_or_cut_short) {
  const auto path = scratch_folder() / "weights.safetensors";
  const auto model = initial_model(tiny_config("none"));
  expect_error<DataError>([&] { load_weights(path, *model); }, {"no such file"});
  save_weights(path, *model);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  expect_error<CheckpointError>([&] { load_weights(path, *model); }, {"is damaged"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
