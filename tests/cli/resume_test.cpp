// Runs that are stopped at any moment, and go on as if nothing had happened.
#include <algorithm>

#include "phasor/core/rng.hpp"
#include "tests/cli/command.hpp"

namespace phasor::cli {
namespace {

const std::string kRecipe =
    "train --text small.txt --width 8 --heads 2 --layers 1 --context 8 --batch 4 --warmup 5"
    " --steps 160 --eval-every 2 --eval-tokens 200";

class Resume : public testing::Test {
 protected:
  void SetUp() override { write_small_text(folder_); }

  /// Records in the run's metrics.jsonl; a training appends one each time it saves.
  std::size_t records() const {
    const auto path = folder_ / "run/metrics.jsonl";
    if (!std::filesystem::exists(path)) return 0;
    const std::string lines = read_file(path);
    return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  }

  /// False when the command ended before.
  bool wait_for_records(const RunningCommand& command, std::size_t count) const {
    while (records() < count) {
      if (command.has_ended()) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return !command.has_ended();
  }

  /// Everything of the uninterrupted run, bit for bit, and nothing else.
  void expect_same_files() const {
    const auto wanted = contents_of(folder_ / "whole"), actual = contents_of(folder_ / "run");
    for (const auto& [name, bytes] : wanted) {
      const bool is_there = actual.contains(name);
      EXPECT_TRUE(is_there) << name;
      const bool is_same = is_there && actual.at(name) == bytes;
      EXPECT_TRUE(is_same) << name << " differs";
    }
    for (const auto& [name, bytes] : actual) EXPECT_TRUE(wanted.contains(name)) << name;
  }

  void expect_same_after_kills(const std::string& recipe, std::uint64_t seed) {
    output_of(folder_.path(), recipe + " --threads 1 --out whole");
    Rng rng(seed, "kills");
    std::string line = recipe + " --threads 1 --out run";
    for (int kill = 1; kill <= 5; ++kill) {
      RunningCommand training(folder_.path(), line);
      // Some records further on, at any moment between two of them. Five times at most five are 25
      // of the run's 81, so that it is still at work even when this test is told late.
      ASSERT_TRUE(wait_for_records(training, records() + 1 + rng.below(5))) << "kill " << kill;
      std::this_thread::sleep_for(std::chrono::microseconds(rng.below(8000)));
      training.send(SIGKILL);
      ASSERT_EQ(training.wait().code, -SIGKILL) << "kill " << kill;
      std::printf("  killed after record %zu\n", records());
      // The threads are no part of the result.
      line = "train --resume --out run --threads " + std::to_string(1 + kill % 3);
    }
    output_of(folder_.path(), line);
    expect_same_files();
  }

  WorkFolder folder_;
};

TEST_F(Resume, after_five_kills_gives_the_same_files_bit_for_bit) {
  expect_same_after_kills(kRecipe, 1);
}

TEST_F(Resume, with_dropout_and_accumulation_too) {
  expect_same_after_kills(kRecipe + " --dropout 0.1 --accumulate 2", 2);
}

TEST_F(Resume, of_a_finished_run_changes_nothing) {
  output_of(folder_.path(), tiny_training("--out run"));
  const auto before = contents_of(folder_ / "run");
  output_of(folder_.path(), "train --resume --out run");
  EXPECT_EQ(contents_of(folder_ / "run"), before);
}

TEST_F(Resume, removes_what_a_killed_run_was_writing) {
  output_of(folder_.path(), tiny_training("--out run"));
  write_file(folder_ / "run/model.safetensors.123.part", "half");
  write_file(folder_ / "run/my.part", "not ours");
  output_of(folder_.path(), "train --resume --out run");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run/model.safetensors.123.part"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "run/my.part"));
}

TEST_F(Resume, ctrl_c_stops_after_a_step_and_says_how_to_go_on) {
  std::string line = "train --text small.txt --steps 1000000 --out run" + kTiny;
  std::size_t saved = 0;
  for (int time = 0; time < 2; ++time) {  // the second time it goes on as the message says
    RunningCommand training(folder_.path(), line);
    ASSERT_TRUE(wait_for_records(training, records() + 3));
    training.send(SIGINT);
    const Outcome outcome = training.wait();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_EQ(outcome.err, "");
    const std::size_t message = outcome.out.find("Stopped at step ");
    ASSERT_NE(message, outcome.out.npos) << outcome.out;
    std::size_t stopped_now = 0, saved_now = 0;
    ASSERT_EQ(std::sscanf(outcome.out.c_str() + message, "Stopped at step %zu; saved at step %zu",
                          &stopped_now, &saved_now),
              2)
        << outcome.out;
    EXPECT_EQ(saved_now, stopped_now);
    EXPECT_GE(saved_now, saved + 4);
    saved = saved_now;
    const std::size_t way_out = outcome.out.find("phasor train --resume --out run\n");
    ASSERT_NE(way_out, outcome.out.npos) << outcome.out;
    line = outcome.out.substr(way_out + 7);
    line.pop_back();
  }
}

/// As when the disk is full: the message, exit code 2, and nothing but whole files.
class FullDisk : public Resume {
 protected:
  void expect_stopped(const std::string& line, rlim_t largest_file) {
    const Outcome outcome = phasor(folder_.path(), line, {.largest_file = largest_file});
    std::printf("  at %lu bytes: %s", static_cast<unsigned long>(largest_file),
                outcome.err.c_str());
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(outcome.err.starts_with("phasor: cannot write 'run/")) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_NE(outcome.err.find("ulimit -f"), outcome.err.npos) << outcome.err;
    for (const auto& [name, bytes] : contents_of(folder_ / "run"))
      EXPECT_FALSE(name.ends_with(".part")) << name;
  }
};

TEST_F(FullDisk, at_any_file_stops_the_training_which_goes_on_later) {
  output_of(folder_.path(), tiny_training("--out whole"));
  // The files are about 0.7, 0.1, 6 and 18 KB: config, metrics, model and checkpoint.
  for (const rlim_t size : {20U, 700U, 4000U, 10000U}) {
    std::filesystem::remove_all(folder_ / "run");
    const rlim_t config_size = std::filesystem::file_size(folder_ / "whole/config.json");
    expect_stopped(tiny_training("--out run"), size);
    const bool has_begun = std::filesystem::exists(folder_ / "run/config.json");
    EXPECT_EQ(has_begun, size >= config_size);
    output_of(folder_.path(), has_begun ? "train --resume --out run" : tiny_training("--out run"));
    expect_same_files();
  }
}

TEST_F(FullDisk, keeps_the_last_save) {
  output_of(folder_.path(), kRecipe + " --out whole");
  {
    RunningCommand training(folder_.path(), kRecipe + " --out run");
    ASSERT_TRUE(wait_for_records(training, 4));
    training.send(SIGINT);
    ASSERT_EQ(training.wait().code, 130);
  }
  const auto before = contents_of(folder_ / "run");
  expect_stopped("train --resume --out run", 100);  // no metrics
  EXPECT_EQ(contents_of(folder_ / "run"), before);
  expect_stopped("train --resume --out run", 10000);  // no checkpoint
  EXPECT_EQ(read_file(folder_ / "run/checkpoint.safetensors"), before.at("checkpoint.safetensors"));
  output_of(folder_.path(), "generate --run run --prompt the --tokens 3");
  output_of(folder_.path(), "train --resume --out run");
  expect_same_files();
}

}  // namespace
}  // namespace phasor::cli
