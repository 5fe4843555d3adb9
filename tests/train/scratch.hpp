// A folder for the files of the running test.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "phasor/core/file.hpp"

namespace phasor {

/// Empty, and no other test's: the build's folder / test_files / suite / test.
inline std::filesystem::path scratch_folder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path folder = std::filesystem::path(PHASOR_BINARY_DIR) / "test_files" /
                                       test->test_suite_name() / test->name();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

/// The bytes of every file in a folder, by name.
inline std::map<std::string, std::string> files_in(const std::filesystem::path& folder) {
  std::map<std::string, std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    result[entry.path().filename().string()] = read_file(entry.path());
  return result;
}

}  // namespace phasor
