// Runs whose parts do not belong together, or hold what no training writes.
#include <cmath>
#include <limits>

#include "phasor/train/checkpoint.hpp"
#include "phasor/train/run_folder.hpp"
#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/train/tiny_run.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

/// The bytes of config.json with a change.
std::string changed(const std::string& config, const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json json = nlohmann::json::parse(config);
  change(json);
  return json.dump();
}

/// A file of tensors with a change, and with a digest that fits it.
void change_tensors(const fs::path& file, const std::function<void(TensorFile&)>& change) {
  TensorFile tensors = read_safetensors(file);
  change(tensors);
  write_safetensors(file, tensors);
}

void make_foreign(TensorFile& file) {
  for (const char* name : {"config", "metrics"}) file.metadata.erase(name);
}

void expect_not_resumed(const fs::path& folder, const RunConfig& config,
                        std::initializer_list<std::string> parts) {
  const Files before = files_in(folder);
  expect_error<CheckpointError>([&] { run_in(folder, config, IfRunExists::resume); }, parts);
  EXPECT_EQ(files_in(folder), before);
}

REAL_TEST(RunDamage, every_key_of_the_configuration_is_needed) {
  const fs::path folder = scratch_folder() / "run";
  run_in(folder, tiny_run("rope"));
  const std::string config = read_file(folder / "config.json");
  const nlohmann::json whole = nlohmann::json::parse(config);
  for (const auto& [owner, value] : whole.items()) {
    write_file(folder / "config.json", changed(config, [&](auto& json) { json.erase(owner); }));
    expect_error<CheckpointError>([&] { load_run(folder); }, {"config.json", "'" + owner + "'"});
    if (!value.is_object()) continue;
    for (const auto& [key, ignored] : value.items()) {
      write_file(folder / "config.json",
                 changed(config, [&](auto& json) { json[owner].erase(key); }));
      expect_error<CheckpointError>([&] { load_run(folder); }, {"config.json", "'" + key + "'"});
    }
  }
  write_file(folder / "config.json", whole.dump());
  EXPECT_NO_THROW(load_run(folder)) << "laid out in another way it is the same";
}

REAL_TEST(RunDamage, a_configuration_of_other_weights_is_noticed) {
  const fs::path folder = scratch_folder() / "run";
  run_in(folder, tiny_run("rope"));
  const std::string config = read_file(folder / "config.json");
  const std::vector<std::function<void(nlohmann::json&)>> changes{
      [](auto& json) { json["model"]["scheme"] = "none"; },
      [](auto& json) {
        json["model"]["options"] = {{"base", "50"}};
      },
      [](auto& json) { json["model"]["heads"] = 2; },
      [](auto& json) { json["model"]["causal"] = false; },
      [](auto& json) { json["model"]["activation"] = "relu"; },
      [](auto& json) { json["model"]["embedding_scale"] = "on"; },
      [](auto& json) { json["model"]["context"] = 100000; },
      [](auto& json) { json["model"]["layers"] = 1000; },
      [](auto& json) { json["train"]["seed"] = 7; },
      [](auto& json) { json["symbols"] = "\n abcdefgi"; }};
  for (const auto& change : changes) {
    write_file(folder / "config.json", changed(config, change));
    expect_error<CheckpointError>(
        [&] { load_run(folder); },
        {"model.safetensors belongs to another model than the config.json", "restore it"});
  }
  write_file(folder / "config.json", changed(config, [](auto& json) { json["text"] = "moved"; }));
  EXPECT_EQ(load_run(folder).config.text, "moved") << "where the text lies may be edited";
}

REAL_TEST(RunDamage, weights_of_another_run_are_noticed) {
  const fs::path folder = scratch_folder();
  RunConfig other = tiny_run("rope");
  other.train.seed = 2;
  run_in(folder / "run", tiny_run("rope"));
  run_in(folder / "other", other);
  for (const char* name : {"model.safetensors", "checkpoint.safetensors"})
    write_file(folder / "run" / name, read_file(folder / "other" / name));
  expect_error<CheckpointError>([&] { load_run(folder / "run"); }, {"belongs to another model"});
  expect_not_resumed(folder / "run", tiny_run("rope"),
                     {"checkpoint.safetensors belongs to another model"});
}

/// As other programs and earlier versions write it.
REAL_TEST(RunDamage, a_file_without_digests_is_loaded) {
  const fs::path folder = scratch_folder();
  run_in(folder / "whole", tiny_run("rope"));
  const Files whole = files_in(folder / "whole");
  run_in(folder / "run", tiny_run("rope"), IfRunExists::refuse, stop_after(4));
  for (const char* name : {"model.safetensors", "checkpoint.safetensors"}) {
    change_tensors(folder / "run" / name, make_foreign);
    std::string bytes = read_file(folder / "run" / name);
    // An entry of any other name is not looked at.
    write_file(folder / "run" / name, bytes.replace(bytes.find("\"digest\""), 8, "\"author\""));
  }
  EXPECT_NO_THROW(load_run(folder / "run"));
  run_in(folder / "run", tiny_run("rope"), IfRunExists::resume);
  EXPECT_EQ(files_in(folder / "run"), whole);
}

REAL_TEST(RunDamage, a_file_of_ours_that_lost_its_digest_is_refused) {
  const fs::path folder = scratch_folder() / "run";
  run_in(folder, tiny_run("rope"));
  for (const char* name : {"checkpoint.safetensors", "model.safetensors"}) {
    std::string bytes = read_file(folder / name);
    write_file(folder / name, bytes.replace(bytes.find("\"digest\""), 8, "\"diges_\""));
  }
  expect_error<CheckpointError>([&] { load_run(folder); }, {"it has lost its digest"});
  expect_not_resumed(folder, tiny_run("rope"), {"checkpoint.safetensors", "lost its digest"});
}

REAL_TEST(RunDamage, numbers_that_are_not_finite_are_refused_with_their_tensor) {
  const fs::path folder = scratch_folder() / "run";
  const std::string tensor = "blocks.0.mlp.up.weight";
  const Real infinity = std::numeric_limits<Real>::infinity();
  for (const Real value : {std::numeric_limits<Real>::quiet_NaN(), infinity, -infinity}) {
    const auto poison = [&](const std::string& name) {
      return [=](TensorFile& file) {
        for (NamedTensor& entry : file.tensors)
          if (entry.name == name) entry.value.data()[entry.value.size() - 1] = value;
      };
    };
    run_in(folder, tiny_run("rope"), IfRunExists::overwrite);
    change_tensors(folder / "model.safetensors", poison(tensor));
    expect_error<CheckpointError>(
        [&] { load_run(folder); },
        {"model.safetensors", fmt::format("'{}' holds {}", tensor, value), "train again"});
    for (const std::string prefix : {"", "adamw.first.", "adamw.second."}) {
      run_in(folder, tiny_run("rope"), IfRunExists::overwrite, stop_after(4));
      change_tensors(folder / "checkpoint.safetensors", poison(prefix + tensor));
      expect_not_resumed(
          folder, tiny_run("rope"),
          {"checkpoint.safetensors", fmt::format("'{}{}' holds {}", prefix, tensor, value)});
    }
  }
  change_tensors(folder / "checkpoint.safetensors",
                 [](TensorFile& file) { file.metadata["running.loss_sum"] = "nan"; });
  expect_not_resumed(folder, tiny_run("rope"), {"a sum of losses of nan"});
}

REAL_TEST(RunDamage, numbers_that_are_not_finite_are_not_saved) {
  const fs::path folder = scratch_folder();
  RunConfig config = tiny_run("rope");
  config.model.vocabulary = 10;
  Rng rng(1);
  Gpt model(config.model, rng);
  save_weights(folder / "model.safetensors", model);
  const Files before = files_in(folder);
  model.parameters()[1].value.mutable_value().data()[0] = std::numeric_limits<Real>::infinity();
  expect_error<TrainingError>(
      [&] { save_weights(folder / "model.safetensors", model); },
      {"model.safetensors is not written", model.parameters()[1].path + "' holds inf"});
  EXPECT_EQ(files_in(folder), before);
}

REAL_TEST(RunDamage, steps_that_the_records_do_not_know_are_refused) {
  const fs::path folder = scratch_folder() / "run";
  const auto with_steps = [&](const std::string& steps, std::initializer_list<std::string> parts) {
    run_in(folder, tiny_run("rope"), IfRunExists::overwrite, stop_after(4));
    change_tensors(folder / "checkpoint.safetensors", [&](TensorFile& file) {
      make_foreign(file);
      file.metadata["steps"] = steps;
    });
    expect_not_resumed(folder, tiny_run("rope"), parts);
  };
  with_steps("8", {"has done 8 steps, config.json asks for 7"});
  with_steps("1000000000000000000", {"config.json asks for 7"});
  with_steps("5", {"has the losses of 1 steps since step 3, expected 2"});
  with_steps("6", {"metrics.jsonl has 2 records up to step 6, expected 3"});
}

REAL_TEST(RunDamage, records_other_than_those_of_the_checkpoint_are_refused) {
  const fs::path folder = scratch_folder() / "run";
  for (const bool finished : {false, true}) {
    run_in(folder, tiny_run("rope"), IfRunExists::overwrite, stop_after(finished ? kSteps : 4));
    const std::vector<MetricsRecord> good = read_metrics(folder / "metrics.jsonl", kSteps);
    std::vector<std::function<void(MetricsRecord&)>> changes{
        [](auto& record) { record.validation_loss += 1e-9; },
        [](auto& record) { *record.train_loss += 1e-9; },
        [](auto& record) { *record.learning_rate *= 2; },
        [](auto& record) { *record.gradient_norm *= 2; }};
    if (finished) changes.push_back([](auto& record) { *record.final_loss += 1e-9; });
    for (const auto& change : changes) {
      std::vector<MetricsRecord> records = good;
      change(records.back());
      write_metrics(folder / "metrics.jsonl", records);
      expect_not_resumed(folder, tiny_run("rope"), {"metrics.jsonl holds other records"});
    }
    fs::remove(folder / "metrics.jsonl");
    expect_not_resumed(folder, tiny_run("rope"), {"metrics.jsonl has 0 records"});
  }
}

/// Killed after the final loss was recorded, and before the checkpoint says so.
REAL_TEST(RunDamage, a_final_loss_that_the_checkpoint_does_not_know_is_computed_again) {
  const fs::path folder = scratch_folder();
  run_in(folder / "whole", tiny_run("rope"));
  train_run(tiny_run("rope"), tiny_corpus(),
            {.folder = folder / "run", .threads = 2, .final_evaluation = false});
  std::vector<MetricsRecord> records = read_metrics(folder / "run/metrics.jsonl", kSteps);
  records.back().final_loss = 123;
  write_metrics(folder / "run/metrics.jsonl", records);
  run_in(folder / "run", tiny_run("rope"), IfRunExists::resume);
  EXPECT_EQ(files_in(folder / "run"), files_in(folder / "whole"));
}

REAL_TEST(RunDamage, a_run_that_lost_its_checkpoint_does_not_begin_anew) {
  const fs::path folder = scratch_folder() / "run";
  run_in(folder, tiny_run("rope"));
  fs::remove(folder / "checkpoint.safetensors");
  expect_not_resumed(folder, tiny_run("rope"), {"no checkpoint.safetensors to go on from"});
  fs::remove(folder / "metrics.jsonl");  // as save_run leaves it
  expect_not_resumed(folder, tiny_run("rope"), {"no checkpoint.safetensors to go on from"});
}

/// The checkpoint has them too.
REAL_TEST(RunDamage, weights_that_were_lost_are_written_again) {
  const fs::path folder = scratch_folder();
  run_in(folder / "run", tiny_run("rope"));
  const Files whole = files_in(folder / "run");
  for (const std::string& bytes : {std::string(), whole.at("model.safetensors").substr(0, 900),
                                   whole.at("checkpoint.safetensors")}) {
    write_file(folder / "run/model.safetensors", bytes);
    run_in(folder / "run", tiny_run("rope"), IfRunExists::resume);
    EXPECT_EQ(files_in(folder / "run"), whole);
  }
  fs::remove(folder / "run/model.safetensors");
  run_in(folder / "run", tiny_run("rope"), IfRunExists::resume);
  EXPECT_EQ(files_in(folder / "run"), whole);
  run_in(folder / "earlier", tiny_run("rope"), IfRunExists::refuse, stop_after(4));
  fs::copy_file(folder / "earlier/model.safetensors", folder / "run/model.safetensors",
                fs::copy_options::overwrite_existing);
  run_in(folder / "run", tiny_run("rope"), IfRunExists::resume);
  EXPECT_EQ(files_in(folder / "run"), whole);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
