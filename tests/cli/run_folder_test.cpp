// The folder of a run, as the commands use it: one training at a time, nothing of others touched.
#include <fmt/format.h>

#include <algorithm>

#include "tests/cli/command.hpp"

namespace phasor::cli {
namespace {

const std::string kLong = "train --text small.txt --steps 1000000 --out run" + kTiny;

class RunInUse : public testing::Test {
 protected:
  void SetUp() override { write_small_text(folder_); }

  /// A training that has saved something.
  void wait_for_save(const RunningCommand& training) const {
    while (!std::filesystem::exists(folder_ / "run/checkpoint.safetensors")) {
      ASSERT_FALSE(training.has_ended());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void expect_refused(const std::string& line, const std::vector<std::string>& wanted) const {
    const Outcome outcome = phasor(folder_.path(), line);
    std::printf("  %s", outcome.err.c_str());
    EXPECT_EQ(outcome.code, 2) << line;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const std::string& words : wanted)
      EXPECT_NE(outcome.err.find(words), std::string::npos) << words << "\n" << outcome.err;
  }

  /// In a shell that has so much address space to give.
  Outcome with_memory(std::size_t megabytes, const std::string& line) const {
    const std::string folder = folder_.path().string();
    const std::string command =
        fmt::format("cd '{}' && ulimit -v {} && exec '{}/phasor' {} >out 2>err", folder,
                    1024 * megabytes, PHASOR_BINARY_DIR, line);
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_file(folder_ / "out"),
            read_file(folder_ / "err")};
  }

  WorkFolder folder_;
};

TEST_F(RunInUse, refuses_a_second_training_and_serves_readers) {
  RunningCommand training(folder_.path(), kLong + " --threads 1");
  wait_for_save(training);
  for (const std::string& line :
       {tiny_training("--out run"), tiny_training("--overwrite --out run"),
        std::string("train --resume --out run")})
    expect_refused(line, {"phasor: run is in use by process ", "another --out"});
  output_of(folder_.path(), "generate --run run --prompt the --tokens 3");
  training.send(SIGKILL);
  EXPECT_EQ(training.wait().code, -SIGKILL);
  output_of(folder_.path(), tiny_training("--overwrite --out run"));
}

TEST_F(RunInUse, refuses_compare_too) {
  std::string line = kLong + " --threads 1";
  RunningCommand training(folder_.path(),
                          line.replace(line.find("--out run"), 9, "--out out/rope-1"));
  while (!std::filesystem::exists(folder_ / "out/rope-1/checkpoint.safetensors"))
    ASSERT_FALSE(training.has_ended());
  expect_refused("compare --text small.txt --schemes rope --steps 2 --context 8 --out out",
                 {"out/rope-1 is in use by process"});
}

TEST_F(RunInUse, a_folder_that_is_removed_ends_the_training) {
  RunningCommand training(folder_.path(), kLong);
  wait_for_save(training);
  std::filesystem::rename(folder_ / "run", folder_ / "gone");
  const Outcome outcome = training.wait();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("phasor: the folder run was removed or replaced"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.out.find("Saved in"), std::string::npos) << outcome.out;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run"));
}

TEST_F(RunInUse, absurd_sizes_are_refused_at_once) {
  output_of(folder_.path(), tiny_training("--out run"));
  const std::string train = "train --text small.txt --out new ";
  expect_refused(train + "--layers 1000000000000000000", {"--layers must be at most 1024"});
  expect_refused(train + "--width 1000000000000 --heads 4", {"needs at least", "GB", "--width"});
  expect_refused(train + "--context 1000000000000000000", {"needs at least", "--context"});
  expect_refused(train + "--mlp-ratio 1000000000000000000", {"needs at least", "--mlp-ratio"});
  expect_refused(train + "--accumulate 1000000000000000000", {"--accumulate must be at most"});
  expect_refused("schemes --width 16384", {"--width 4096", "got --width 16384"});
  expect_refused("schemes --context 100000000", {"--context 262144"});
  output_of(folder_.path(), "schemes --width 4096 --heads 4");
  std::string config = read_file(folder_ / "run/config.json");
  config.replace(config.find("\"layers\": 1"), 11, "\"layers\": 1000000000000000000");
  write_file(folder_ / "run/config.json", config);
  expect_refused("eval --run run", {"run/config.json: --layers must be at most"});
  expect_refused("train --resume --out run", {"run/checkpoint.safetensors belongs to another"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new"));
}

#if !defined(__SANITIZE_ADDRESS__)  // which reserves terabytes of address space
TEST_F(RunInUse, goes_on_with_the_threads_that_it_gets) {
  output_of(folder_.path(), tiny_training("--out run"));
  const std::string line = "eval --run run --threads 200 --json";
  const std::string wanted = output_of(folder_.path(), line);
  std::size_t fewer = 0;
  for (std::size_t megabytes = 100; megabytes <= 1000; megabytes += 100) {
    const Outcome outcome = with_memory(megabytes, line);
    std::printf("  %zu MB: %d %s\n", megabytes, outcome.code, outcome.err.c_str());
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    if (outcome.code != 0) continue;
    EXPECT_EQ(outcome.out, wanted);
    if (outcome.err.find("of 200 threads could be started") != outcome.err.npos) ++fewer;
  }
  EXPECT_GT(fewer, 0U);
}
#endif

}  // namespace
}  // namespace phasor::cli
