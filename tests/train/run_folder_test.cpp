// Who may write into the folder of a run, and how one run takes the place of another.
#include "phasor/train/run_folder.hpp"

#include <thread>

#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/train/tiny_run.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

RunConfig other_run() {
  RunConfig config = tiny_run("learned");
  config.train.seed = 2;
  return config;
}

REAL_TEST(RunFolder, is_used_by_one_training_at_a_time) {
  const fs::path folder = scratch_folder();
  run_in(folder / "whole", tiny_run("rope"));
  std::size_t refused = 0;
  const auto on_step = [&](std::size_t step, double) {
    if (step != 4) return;
    const Files before = files_in(folder / "run");
    for (const IfRunExists how :
         {IfRunExists::refuse, IfRunExists::resume, IfRunExists::overwrite}) {
      expect_error<ConfigError>([&] { run_in(folder / "run", other_run(), how); },
                                {"run is in use by process", "--out"});
      ++refused;
    }
    const auto run = load_run(folder / "run");
    expect_error<ConfigError>([&] { save_run(folder / "run", run.config, *run.model); },
                              {"is in use by process"});
    expect_error<ConfigError>([&] { remove_run(folder / "run"); }, {"is in use by process"});
    EXPECT_EQ(files_in(folder / "run"), before);
  };
  train_run(tiny_run("rope"), tiny_corpus(),
            {.folder = folder / "run", .threads = 2, .on_step = on_step});
  EXPECT_EQ(refused, 3U);
  EXPECT_EQ(files_in(folder / "run"), files_in(folder / "whole"));
}

REAL_TEST(RunFolder, refuses_files_of_others) {
  for (const char* name : {"model.safetensors", "metrics.jsonl", "checkpoint.safetensors",
                           "film.4711.part", "notes.txt", "folder/notes.txt"})
    for (const IfRunExists how :
         {IfRunExists::refuse, IfRunExists::resume, IfRunExists::overwrite}) {
      const fs::path folder = scratch_folder() / "run";
      write_file(folder / name, "of somebody else");
      const std::string first = fs::path(name).begin()->string();
      expect_error<ConfigError>([&] { run_in(folder, tiny_run("rope"), how); },
                                {"run holds no run", first, "a new or an empty folder"});
      EXPECT_EQ(read_file(folder / name), "of somebody else");
      EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
    }
}

REAL_TEST(RunFolder, refuses_the_configuration_of_another_program) {
  const fs::path folder = scratch_folder();
  for (const std::string config :
       {"{\"architectures\": [\"GPT2LMHeadModel\"]}", "{\"model\":", "[]"})
    for (const IfRunExists how :
         {IfRunExists::refuse, IfRunExists::resume, IfRunExists::overwrite}) {
      write_file(folder / "config.json", config);
      write_file(folder / "model.safetensors", "weights");
      const Files before = files_in(folder);
      expect_error<ConfigError>([&] { run_in(folder, tiny_run("rope"), how); },
                                {"config.json is not the configuration of a run", "--out"});
      EXPECT_EQ(files_in(folder), before);
    }
}

REAL_TEST(RunFolder, is_used_again_after_a_start_that_was_killed) {
  const fs::path folder = scratch_folder();
  run_in(folder / "whole", tiny_run("rope"));
  write_file(folder / "run/config.json.4711.part", "{\"mod");
  run_in(folder / "run", tiny_run("rope"));
  EXPECT_EQ(files_in(folder / "run"), files_in(folder / "whole"));
}

REAL_TEST(RunFolder, keeps_what_others_put_beside_a_run) {
  const fs::path folder = scratch_folder() / "run";
  run_in(folder, tiny_run("rope"));
  write_file(folder / "film.4711.part", "film");
  run_in(folder, other_run(), IfRunExists::overwrite);
  EXPECT_EQ(read_file(folder / "film.4711.part"), "film");
  remove_run(folder);
  EXPECT_EQ(files_in(folder), (Files{{"film.4711.part", "film"}}));
  fs::remove(folder / "film.4711.part");
  run_in(folder, tiny_run("rope"));
  remove_run(folder);
  EXPECT_FALSE(fs::exists(folder));
}

/// Every state that a process leaves which is killed while one run replaces another.
std::vector<Files> states_of_replacement(const Files& old, const std::string& next) {
  std::vector<Files> states{old};
  states[0]["config.next.json.4711.part"] = next.substr(0, 30);
  states.push_back(old);
  states[1]["config.next.json"] = next;
  for (const char* name : {"metrics.jsonl", "checkpoint.safetensors", "model.safetensors"}) {
    states.push_back(states.back());
    states.back().erase(name);
  }
  return states;
}

REAL_TEST(RunFolder, has_the_old_run_or_the_new_one_whenever_a_replacement_is_killed) {
  const fs::path folder = scratch_folder();
  run_in(folder / "old", tiny_run("rope"));
  run_in(folder / "new", other_run());
  const Files old = files_in(folder / "old"), wanted = files_in(folder / "new");
  const std::vector<Files> states = states_of_replacement(old, wanted.at("config.json"));
  for (std::size_t state = 0; state < states.size(); ++state)
    for (const IfRunExists how : {IfRunExists::resume, IfRunExists::overwrite}) {
      SCOPED_TRACE(fmt::format("state {}, {}", state, how == IfRunExists::resume));
      const fs::path run = folder / fmt::format("run-{}-{}", state, how == IfRunExists::resume);
      for (const auto& [name, bytes] : states[state]) write_file(run / name, bytes);
      const bool replaced = state > 0;
      const RunConfig config = load_run_config(run);
      EXPECT_EQ(config.train.seed, replaced ? 2U : 1U);
      if (replaced)
        expect_error<CheckpointError>([&] { load_run(run); },
                                      {"has no model.safetensors yet", "--resume"});
      else
        EXPECT_EQ(load_run(run).config.train.seed, 1U);
      if (how == IfRunExists::resume && replaced)
        expect_error<ConfigError>([&] { run_in(run, tiny_run("rope"), how); },
                                  {"was trained with", "learned"});
      run_in(run, how == IfRunExists::resume ? config : other_run(), how);
      const bool is_new = replaced || how == IfRunExists::overwrite;
      EXPECT_EQ(files_in(run), is_new ? wanted : old);
    }
}

REAL_TEST(RunFolder, leaves_the_old_run_when_the_new_configuration_cannot_be_written) {
  const fs::path folder = scratch_folder() / "run";
  run_in(folder, tiny_run("rope"));
  const Files before = files_in(folder);
  // Where the draft of config.next.json would be written.
  const fs::path draft = folder / fmt::format("config.next.json.{}.part", ::getpid());
  fs::create_directories(draft / "taken");
  expect_error<DataError>([&] { run_in(folder, other_run(), IfRunExists::overwrite); },
                          {"cannot write"});
  fs::remove_all(draft);
  EXPECT_EQ(files_in(folder), before);
}

/// A reader that comes at any moment finds one run or the other, never parts of both.
REAL_TEST(RunFolder, is_never_read_as_a_mixture) {
  const fs::path folder = scratch_folder() / "run";
  run_in(folder, tiny_run("rope"));
  std::atomic<bool> over = false;
  std::thread writer([&] {
    for (int i = 0; i < 6; ++i)
      run_in(folder, i % 2 ? tiny_run("rope") : other_run(), IfRunExists::overwrite, {}, 1);
    over = true;
  });
  std::size_t whole = 0, unsaved = 0;
  while (!over) try {
      const auto run = load_run(folder);
      EXPECT_EQ(run.config.model.scheme, run.config.train.seed == 1 ? "rope" : "learned");
      ++whole;
    } catch (const CheckpointError& problem) {
      EXPECT_NE(std::string(problem.what()).find("no model.safetensors yet"), std::string::npos)
          << problem.what();
      ++unsaved;
    }
  writer.join();
  std::printf("  read whole %zu times, not yet saved %zu times\n", whole, unsaved);
  EXPECT_GT(whole, 0U);
}

REAL_TEST(RunFolder, that_goes_while_a_training_writes_ends_it) {
  for (const std::size_t step : {1U, 3U, 7U}) {
    const fs::path folder = scratch_folder() / "run";
    const auto on_step = [&](std::size_t done, double) {
      if (done == step) fs::remove_all(folder);
    };
    expect_error<DataError>(
        [&] {
          train_run(tiny_run("rope"), tiny_corpus(),
                    {.folder = folder, .threads = 2, .on_step = on_step});
        },
        {"run was removed or replaced", "nothing more is saved"});
    EXPECT_FALSE(fs::exists(folder)) << "it is not made again";
  }
}

/// As `rm -r` leaves it when a training writes meanwhile.
REAL_TEST(RunFolder, that_is_emptied_while_a_training_writes_ends_it) {
  const fs::path folder = scratch_folder() / "run";
  const auto on_step = [&](std::size_t done, double) {
    if (done != 2) return;
    for (const char* name : {"config.json", "metrics.jsonl", "checkpoint.safetensors"})
      fs::remove(folder / name);
  };
  expect_error<DataError>(
      [&] {
        train_run(tiny_run("rope"), tiny_corpus(),
                  {.folder = folder, .threads = 2, .on_step = on_step});
      },
      {"run/config.json was removed", "nothing more is saved"});
}

REAL_TEST(RunFolder, that_another_takes_the_place_of_is_left_alone) {
  const fs::path folder = scratch_folder();
  run_in(folder / "other", other_run());
  const Files other = files_in(folder / "other");
  const auto on_step = [&](std::size_t done, double) {
    if (done != 2) return;
    fs::rename(folder / "run", folder / "moved");
    fs::rename(folder / "other", folder / "run");
  };
  expect_error<DataError>(
      [&] {
        train_run(tiny_run("rope"), tiny_corpus(),
                  {.folder = folder / "run", .threads = 2, .on_step = on_step});
      },
      {"run was removed or replaced"});
  EXPECT_EQ(files_in(folder / "run"), other);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
