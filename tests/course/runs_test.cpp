// Trained models are found by name, in the order of their numbers.
#include "phasor/course/runs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "phasor/core/file.hpp"
#include "tests/figure/sample.hpp"

namespace phasor {
namespace {

/// 2 before 10, and names that only look like those of runs are left out.
TEST(RunsNamed, ComeByNumberHoweverTheFolderListsThem) {
  const test::TemporaryFolder folder;
  const std::vector<int> seeds{3, 10, 1, 12, 2, 11, 30};
  for (const int seed : seeds)
    write_file(folder.path() / fmt::format("toy-rope-{}/model.safetensors", seed), "");
  for (const char* other : {"toy-rope-", "toy-rope-x", "toy-rope-4x", "toy-ropes-5", "rope-6"})
    write_file(folder.path() / other / "model.safetensors", "");
  std::filesystem::create_directories(folder.path() / "toy-rope-7");  // holds no model
  std::vector<std::filesystem::path> wanted;
  for (const int seed : {1, 2, 3, 10, 11, 12, 30})
    wanted.push_back(folder.path() / fmt::format("toy-rope-{}", seed));
  EXPECT_EQ(runs_named(folder.path(), "toy-rope"), wanted);
}

}  // namespace
}  // namespace phasor
