// A run that is stopped, at whatever step and however often, ends in the bytes of one that is not.
#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/train/tiny_run.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

void expect_same(const Files& got, const Files& wanted, const std::string& what) {
  EXPECT_EQ(got.size(), wanted.size()) << what;
  for (const auto& [name, bytes] : wanted)
    EXPECT_TRUE(got.contains(name) && got.at(name) == bytes) << what << ": " << name << " differs";
}

/// The last evaluation of a run that has done `steps` steps.
std::size_t recorded_at(std::size_t steps) {
  return steps == kSteps ? kSteps : steps / kEvery * kEvery;
}

REAL_TEST(Resume, after_any_step_gives_the_same_bytes) {
  const fs::path folder = scratch_folder();
  const RunConfig config = tiny_run("rope");
  run_in(folder / "whole", config);
  const Files wanted = files_in(folder / "whole");
  EXPECT_EQ(wanted.size(), 4U);
  for (std::size_t stop = 1; stop <= kSteps; ++stop) {
    const fs::path stopped = folder / std::to_string(stop);
    const RunReport report = run_in(stopped, config, IfRunExists::refuse, stop_after(stop), 1);
    EXPECT_EQ(report.steps_done, stop);
    EXPECT_EQ(report.saved_step, stop);
    EXPECT_EQ(report.records.back().step, recorded_at(stop));
    const RunReport rest = run_in(stopped, config, IfRunExists::resume, {}, 3);
    EXPECT_EQ(rest.resumed_at, stop);
    EXPECT_EQ(rest.steps_done, kSteps);
    EXPECT_EQ(rest.saved_step, kSteps);
    EXPECT_EQ(rest.records.size(), 4U);
    expect_same(files_in(stopped), wanted, "stopped after " + std::to_string(stop));
  }
}

REAL_TEST(Resume, gives_the_same_bytes_for_every_scheme) {
  const fs::path folder = scratch_folder();
  for (const SchemeEntry& entry : schemes()) {
    const RunConfig config = tiny_run(entry.name);
    const fs::path whole = folder / (entry.name + "-whole"), stopped = folder / entry.name;
    run_in(whole, config, IfRunExists::refuse, {}, 1);
    run_in(stopped, config, IfRunExists::refuse, stop_after(4), 3);
    run_in(stopped, config, IfRunExists::resume, {}, 2);
    expect_same(files_in(stopped), files_in(whole), entry.name);
  }
}

/// Also where positions are drawn at random, and where a rotation is dropped on the way.
REAL_TEST(Resume, gives_the_same_bytes_with_random_and_with_dropped_positions) {
  const fs::path folder = scratch_folder();
  RunConfig drawn = tiny_run("learned"), dropped = tiny_run("rope");
  drawn.model.random_positions = 20;
  dropped.train.drop_positions_at = 4;
  for (const RunConfig& config : {drawn, dropped}) {
    const fs::path whole = folder / config.model.scheme;
    run_in(whole, config);
    for (const std::size_t stop : {2U, 4U, 5U}) {
      const fs::path stopped = folder / fmt::format("{}-{}", config.model.scheme, stop);
      run_in(stopped, config, IfRunExists::refuse, stop_after(stop));
      EXPECT_EQ(load_run(stopped).model->has_dropped_positions(),
                config.train.drop_positions_at > 0 && stop >= 4);
      run_in(stopped, config, IfRunExists::resume);
      expect_same(files_in(stopped), files_in(whole), stopped.filename().string());
    }
    RunConfig plain = config;
    plain.model.random_positions = plain.train.drop_positions_at = 0;
    run_in(folder / ("plain-" + config.model.scheme), plain);
    EXPECT_NE(read_file(folder / ("plain-" + config.model.scheme) / "metrics.jsonl"),
              read_file(whole / "metrics.jsonl"));
  }
}

REAL_TEST(Resume, again_and_again_gives_the_same_bytes) {
  const fs::path folder = scratch_folder();
  const RunConfig config = tiny_run("learned");
  run_in(folder / "whole", config);
  std::vector<std::size_t> saved;
  for (int round = 0; round < 5; ++round)  // 2 steps at a time, evaluated after every third
    saved.push_back(
        run_in(folder / "stopped", config, IfRunExists::resume, stop_after(2)).saved_step);
  EXPECT_EQ(saved, (std::vector<std::size_t>{2, 4, 6, 7, 7}));
  expect_same(files_in(folder / "stopped"), files_in(folder / "whole"), "resumed four times");
}

/// A killed process leaves what it had written: metrics first, then weights, the checkpoint last.
REAL_TEST(Resume, after_being_killed_between_two_files_gives_the_same_bytes) {
  const fs::path folder = scratch_folder();
  const RunConfig config = tiny_run("alibi");
  run_in(folder / "whole", config);
  const Files wanted = files_in(folder / "whole");
  std::vector<Files> saves{{}};  // the folder after saving at 0, 3 and 6
  saves[0]["config.json"] = wanted.at("config.json");
  for (const std::size_t steps : {0U, 3U, 6U}) {
    const fs::path some = folder / ("saved-" + std::to_string(steps));
    if (steps == 0)
      die_in_first_step(some, config);
    else
      run_in(some, config, IfRunExists::refuse, stop_after(steps));
    saves.push_back(files_in(some));
  }
  for (std::size_t save = 0; save + 1 < saves.size(); ++save)
    for (const bool weights_too : {false, true}) {
      Files left = saves[save];
      left["metrics.jsonl"] = saves[save + 1].at("metrics.jsonl");
      if (weights_too) left["model.safetensors"] = saves[save + 1].at("model.safetensors");
      const fs::path killed = folder / fmt::format("killed-{}-{}", save, weights_too);
      for (const auto& [name, bytes] : left) write_file(killed / name, bytes);
      run_in(killed, config, IfRunExists::resume);
      expect_same(files_in(killed), wanted, killed.filename().string());
    }
}

/// Whether the checkpoint is really last: here writing the weights fails.
REAL_TEST(Resume, a_checkpoint_is_never_ahead_of_the_weights) {
  const fs::path folder = scratch_folder();
  const RunConfig config = tiny_run("none");
  run_in(folder / "whole", config);
  const fs::path stopped = folder / "stopped";
  run_in(stopped, config, IfRunExists::refuse, stop_after(kEvery));
  const Files before = files_in(stopped);
  fs::remove(stopped / "model.safetensors");
  fs::create_directory(stopped / "model.safetensors");
  expect_error<DataError>([&] { run_in(stopped, config, IfRunExists::resume); },
                          {"model.safetensors"});
  EXPECT_EQ(read_file(stopped / "checkpoint.safetensors"), before.at("checkpoint.safetensors"));
  fs::remove(stopped / "model.safetensors");
  run_in(stopped, config, IfRunExists::resume);
  expect_same(files_in(stopped), files_in(folder / "whole"), "weights could not be written");
}

REAL_TEST(Resume, of_a_finished_run_changes_nothing) {
  const fs::path folder = scratch_folder() / "run";
  const RunConfig config = tiny_run("sinusoidal");
  const RunReport report = run_in(folder, config);
  const Files before = files_in(folder);
  std::map<std::string, fs::file_time_type> times;
  for (const auto& [name, bytes] : before) times[name] = fs::last_write_time(folder / name);
  std::size_t steps = 0;
  const RunReport again = train_run(config, tiny_corpus(),
                                    {.folder = folder,
                                     .if_exists = IfRunExists::resume,
                                     .threads = 2,
                                     .on_step = [&](std::size_t, double) { ++steps; }});
  EXPECT_EQ(steps, 0U);
  EXPECT_EQ(again.steps_done, kSteps);
  ASSERT_EQ(again.records.size(), report.records.size());
  EXPECT_EQ(again.records.back().final_loss, report.records.back().final_loss);
  expect_same(files_in(folder), before, "resumed when finished");
  for (const auto& [name, time] : times)
    EXPECT_TRUE(fs::last_write_time(folder / name) == time) << name << " was written again";
}

REAL_TEST(Resume, adds_the_final_loss_when_it_was_left_out) {
  const fs::path folder = scratch_folder();
  const RunConfig config = tiny_run("rope");
  run_in(folder / "whole", config);
  const RunReport report =
      train_run(config, tiny_corpus(),
                {.folder = folder / "without", .threads = 2, .final_evaluation = false});
  EXPECT_FALSE(report.records.back().final_loss);
  EXPECT_NE(read_file(folder / "without" / "metrics.jsonl"),
            read_file(folder / "whole" / "metrics.jsonl"));
  EXPECT_TRUE(run_in(folder / "without", config, IfRunExists::resume).records.back().final_loss);
  expect_same(files_in(folder / "without"), files_in(folder / "whole"), "final loss later");
}

REAL_TEST(Resume, of_no_run_starts_one) {
  const fs::path folder = scratch_folder();
  const RunConfig config = tiny_run("rope");
  run_in(folder / "whole", config);
  run_in(folder / "resumed", config, IfRunExists::resume);
  expect_same(files_in(folder / "resumed"), files_in(folder / "whole"), "nothing was there");
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
