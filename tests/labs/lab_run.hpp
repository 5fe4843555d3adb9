// What the tests of all labs need: one run of the program, wrong use, and the checks that fail.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "labs/common/check_list.hpp"
#include "tests/labs/results.hpp"

namespace phasor::test {

/// One run of a lab's program that all tests of its results look at.
///
///   class Lab00 : public test::LabTest<Lab00> {
///    public:
///     static constexpr const char* kLab = "lab00_order";
///   };
template <class Suite>
class LabTest : public ::testing::Test {
 public:
  static constexpr const char* kOptions = "";  ///< a suite may have others

 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    run_ = std::make_unique<ProgramOutcome>(run_into(out()));
  }
  static void TearDownTestSuite() {
    run_.reset();
    folder_.reset();
  }

  /// The program, once more.
  static ProgramOutcome run_into(const std::filesystem::path& folder) {
    return run_program(Suite::kLab, fmt::format("--out '{}' {}", folder.string(), Suite::kOptions),
                       "2>&1");
  }
  static std::filesystem::path out() {
    return folder_->path() / std::string(Suite::kLab).substr(0, 5);
  }

  static inline std::unique_ptr<TemporaryFolder> folder_;
  static inline std::unique_ptr<ProgramOutcome> run_;
};

/// Exit code 2 and one line on standard error. Results would go to a folder that vanishes.
inline void expect_wrong_use(const std::string& lab, const std::string& arguments) {
  const TemporaryFolder folder;
  const ProgramOutcome wrong = run_program(
      lab, fmt::format("{} --out '{}'", arguments, folder.path().string()), "2>&1 >/dev/null");
  EXPECT_EQ(wrong.code, 2) << arguments;
  EXPECT_EQ(std::count(wrong.text.begin(), wrong.text.end(), '\n'), 1) << wrong.text;
}

/// The names of the checks that do not pass.
inline std::vector<std::string> failed(const std::vector<ListedCheck>& checks) {
  std::vector<std::string> names;
  for (const ListedCheck& check : checks)
    if (!check.passes()) names.push_back(check.what);
  return names;
}

/// Whether one of the names has `part` in it.
inline bool any_of(const std::vector<std::string>& names, const std::string& part) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

}  // namespace phasor::test
