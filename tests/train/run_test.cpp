// What a run writes and tells, and when it refuses to begin or to go on.
#include "phasor/train/run.hpp"

#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/train/tiny_run.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

namespace fs = std::filesystem;

REAL_TEST(Run, records_step_zero_each_evaluation_and_the_end) {
  const fs::path folder = scratch_folder() / "run";
  const RunConfig config = tiny_run("learned");
  std::vector<double> losses;
  std::vector<MetricsRecord> told;
  const RunReport report =
      train_run(config, tiny_corpus(),
                {.folder = folder,
                 .threads = 2,
                 .on_step =
                     [&](std::size_t step, double loss) {
                       losses.push_back(loss);
                       EXPECT_EQ(step, losses.size());
                     },
                 .on_record = [&](const MetricsRecord& record) { told.push_back(record); }});
  EXPECT_EQ(report.steps_done, kSteps);
  EXPECT_EQ(report.saved_step, kSteps);
  ASSERT_EQ(losses.size(), kSteps);
  ASSERT_EQ(report.records.size(), 4U);
  ASSERT_EQ(told.size(), 5U) << "the last is told again with its final loss";
  const MetricsRecord& zero = report.records[0];
  EXPECT_EQ(zero.step, 0U);
  EXPECT_FALSE(zero.train_loss || zero.learning_rate || zero.gradient_norm || zero.final_loss);
  EXPECT_NEAR(zero.validation_loss, std::log(10), 0.1) << "it knows nothing of ten characters";
  const Schedule schedule{config.train.lr, config.train.min_lr, config.train.warmup, kSteps};
  const std::vector<std::size_t> steps{0, 3, 6, 7};
  for (std::size_t i = 1; i < 4; ++i) {
    double mean = 0;
    for (std::size_t step = steps[i - 1]; step < steps[i]; ++step) mean += losses[step];
    mean /= static_cast<double>(steps[i] - steps[i - 1]);
    EXPECT_EQ(report.records[i].step, steps[i]);
    EXPECT_NEAR(*report.records[i].train_loss, mean, 1e-12);  // the same sum of doubles
    EXPECT_NEAR(*report.records[i].learning_rate, schedule.at(steps[i] - 1), 1e-15);
    EXPECT_GT(*report.records[i].gradient_norm, 0);
    EXPECT_EQ(report.records[i].final_loss.has_value(), i == 3);
  }
  // The validation text is so short that an evaluation reads all of it.
  EXPECT_EQ(*report.records[3].final_loss, report.records[3].validation_loss);
}

REAL_TEST(Run, is_loaded_as_it_was_saved) {
  const fs::path folder = scratch_folder() / "run";
  const RunReport report = run_in(folder, tiny_run("rope"));
  const auto run = load_run(folder);
  EXPECT_EQ(run.config.text, "tiny.txt");
  EXPECT_EQ(run.config.model.vocabulary, 10U);
  EXPECT_EQ(run.tokenizer.symbols(), "\n abcdefgh");
  EXPECT_EQ(run.model->parameter_count(), report.parameter_count);
  Workers workers(2);
  const Encoded validation = split(run.tokenizer.encode(tiny_corpus().text)).validation;
  EXPECT_EQ(evaluate(*run.model, validation, {.context = 7}, workers).loss,
            *report.records.back().final_loss);
  RunConfig config = tiny_run("rope");
  describe_text(config, tiny_corpus().text, run.tokenizer);
  EXPECT_EQ(to_json(load_run_config(folder)), to_json(config));
}

REAL_TEST(Run, writes_the_same_bytes_for_the_same_seed) {
  const fs::path folder = scratch_folder();
  RunConfig config = tiny_run("alibi");
  run_in(folder / "a", config, IfRunExists::refuse, {}, 1);
  run_in(folder / "b", config, IfRunExists::refuse, {}, 3);
  EXPECT_EQ(files_in(folder / "a"), files_in(folder / "b"));
  config.train.seed = 2;
  run_in(folder / "c", config);
  for (const auto& [name, bytes] : files_in(folder / "a"))
    EXPECT_NE(read_file(folder / "c" / name), bytes) << name;
}

REAL_TEST(Run, refuses_to_write_over_another_unless_told) {
  const fs::path folder = scratch_folder();
  RunConfig config = tiny_run("rope");
  run_in(folder / "run", config);
  const auto before = files_in(folder / "run");
  config.train.seed = 2;
  expect_error<ConfigError>([&] { run_in(folder / "run", config); },
                            {"already holds a run", "--resume", "--overwrite", "--out"});
  EXPECT_EQ(files_in(folder / "run"), before);
  run_in(folder / "run", config, IfRunExists::overwrite);
  run_in(folder / "fresh", config);
  EXPECT_EQ(files_in(folder / "run"), files_in(folder / "fresh"));
}

REAL_TEST(Run, that_cannot_begin_leaves_the_one_it_would_replace) {
  const fs::path folder = scratch_folder() / "run";
  run_in(folder, tiny_run("rope"));
  const auto before = files_in(folder);
  RunConfig config = tiny_run("rope");
  config.model.context = 70;  // longer than the validation text
  expect_error<DataError>([&] { run_in(folder, config, IfRunExists::overwrite); },
                          {"validation", "70 tokens", "at least 71"});
  config = tiny_run("rope");
  config.train.lr = -1;
  expect_error<ConfigError>([&] { run_in(folder, config, IfRunExists::overwrite); }, {"--lr"});
  config = tiny_run("rotary");
  expect_error<ConfigError>([&] { run_in(folder, config, IfRunExists::overwrite); }, {"'rotary'"});
  EXPECT_EQ(files_in(folder), before);
}

REAL_TEST(Run, is_not_resumed_with_another_configuration) {
  const fs::path folder = scratch_folder() / "run";
  RunConfig saved = tiny_run("rope");
  saved.model.options = {{"base", "500"}};
  run_in(folder, saved, IfRunExists::refuse, stop_after(4));
  const auto before = files_in(folder);
  using Change = std::function<void(RunConfig&)>;
  const std::vector<std::pair<std::string, Change>> changes{
      {"model/width", [](RunConfig& c) { c.model.width = 24; }},
      {"model/heads", [](RunConfig& c) { c.model.heads = 2; }},
      {"model/layers", [](RunConfig& c) { c.model.layers = 2; }},
      {"model/context", [](RunConfig& c) { c.model.context = 6; }},
      {"model/mlp_ratio", [](RunConfig& c) { c.model.mlp_ratio = 3; }},
      {"model/dropout", [](RunConfig& c) { c.model.dropout = 0; }},
      {"model/norm", [](RunConfig& c) { c.model.norm = NormKind::rms; }},
      {"model/activation", [](RunConfig& c) { c.model.activation = Activation::relu; }},
      {"model/tied", [](RunConfig& c) { c.model.tied = true; }},
      {"model/embedding_scale", [](RunConfig& c) { c.model.embedding_scale = EmbeddingScale::on; }},
      {"model/scheme", [](RunConfig& c) { c.model.scheme = "sinusoidal"; }},
      {"model/options/base = \"500\", not \"7\"",
       [](RunConfig& c) { c.model.options["base"] = std::string("7"); }},
      {"model/options/base = \"500\", not nothing", [](RunConfig& c) { c.model.options.clear(); }},
      {"model/options/pairing = nothing, not \"half\"",
       [](RunConfig& c) { c.model.options["pairing"] = "half"; }},
      {"train/batch", [](RunConfig& c) { c.train.batch = 6; }},
      {"train/accumulate", [](RunConfig& c) { c.train.accumulate = 1; }},
      {"train/steps", [](RunConfig& c) { c.train.steps = 8; }},
      {"train/lr", [](RunConfig& c) { c.train.lr = 1e-3; }},
      {"train/min_lr", [](RunConfig& c) { c.train.min_lr = 0; }},
      {"train/warmup", [](RunConfig& c) { c.train.warmup = 3; }},
      {"train/weight_decay", [](RunConfig& c) { c.train.weight_decay = 0; }},
      {"train/beta1", [](RunConfig& c) { c.train.beta1 = 0; }},
      {"train/beta2", [](RunConfig& c) { c.train.beta2 = 0; }},
      {"train/clip", [](RunConfig& c) { c.train.clip = 2; }},
      {"train/seed", [](RunConfig& c) { c.train.seed = 2; }},
      {"train/eval_every", [](RunConfig& c) { c.train.eval_every = 2; }},
      {"train/eval_tokens", [](RunConfig& c) { c.train.eval_tokens = 10; }},
      {"text", [](RunConfig& c) { c.text = "other.txt"; }}};
  for (const auto& [name, change] : changes) {
    RunConfig config = saved;
    change(config);
    expect_error<ConfigError>([&] { run_in(folder, config, IfRunExists::resume); },
                              {name, "--out"});
  }
  EXPECT_EQ(files_in(folder), before);
  EXPECT_EQ(run_in(folder, saved, IfRunExists::resume).steps_done, kSteps);
}

REAL_TEST(Run, is_not_resumed_on_another_text) {
  const fs::path folder = scratch_folder() / "run";
  const RunConfig config = tiny_run("rope");
  run_in(folder, config, IfRunExists::refuse, stop_after(4));
  const auto before = files_in(folder);
  Corpus corpus = tiny_corpus();
  const RunOptions options{.folder = folder, .if_exists = IfRunExists::resume, .threads = 2};
  std::vector<std::string> others{tiny_corpus(2).text, corpus.text + "a", corpus.text};
  std::swap(others[2][100], others[2][101]);
  if (others[2] == corpus.text) others[2][100] = corpus.text[100] == 'a' ? 'b' : 'a';
  for (const std::string& other : others) {
    corpus.text = other;
    expect_error<ConfigError>([&] { train_run(config, corpus, options); }, {"text", "--out"});
  }
  EXPECT_EQ(files_in(folder), before);
}

REAL_TEST(Run, that_is_missing_or_damaged_is_not_loaded) {
  const fs::path folder = scratch_folder() / "run";
  expect_error<CheckpointError>([&] { load_run(folder); }, {"holds no run", "config.json"});
  run_in(folder, tiny_run("rope"));
  const auto good = files_in(folder);
  const auto expect_damage = [&](const std::string& name, const std::string& bytes,
                                 const std::string& part) {
    write_file(folder / name, bytes);
    SCOPED_TRACE(name + ": " + part);
    expect_error<CheckpointError>([&] { load_run(folder); }, {part});
    write_file(folder / name, good.at(name));
  };
  expect_damage("config.json", good.at("config.json").substr(0, 40), "config.json");
  const auto changed = [&](const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json json = nlohmann::json::parse(good.at("config.json"));
    change(json);
    return json.dump();
  };
  using Json = nlohmann::json;
  expect_damage("config.json", "[]", "config.json");
  for (const char* field : {"text", "model", "train", "symbols", "fingerprint"})
    expect_damage("config.json", changed([&](Json& json) { json.erase(field); }), field);
  expect_damage("config.json", changed([](Json& json) { json["model"] = "rope"; }), "config.json");
  expect_damage("config.json", changed([](Json& json) { json["train"]["steps"] = -7; }), "-7");
  expect_damage("config.json", changed([](Json& json) { json["symbols"] = "abc"; }), "config.json");
  expect_damage("config.json", changed([](Json& json) { json["symbols"] = "ba"; }), "config.json");
  expect_damage("config.json", changed([](Json& json) { json["model"]["heads"] = 5; }), "--heads");
  expect_damage("config.json", changed([](Json& json) { json["model"]["width"] = 24; }), "shape");
  expect_damage("model.safetensors", "text", "is damaged");
  EXPECT_NO_THROW(load_run(folder));
  fs::remove(folder / "model.safetensors");
  expect_error<CheckpointError>([&] { load_run(folder); }, {"no model.safetensors", "--resume"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
