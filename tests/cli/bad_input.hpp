// Input that cannot work: one line that says what is wrong and what to do, exit code 2, and every
// file as it was.
#pragma once
#include <cstdio>

#include "tests/cli/command.hpp"

namespace phasor::cli {

struct BadInput {
  std::string what, line;
  std::vector<std::string> wanted;  // in the message
};

/// A folder with good and bad texts, arrays and runs.
class BadInputs : public testing::Test {
 protected:
  void SetUp() override {
    write_small_text(folder_);
    write_file(folder_ / "empty.txt", "");
    write_file(folder_ / "binary.txt", std::string("text\n\x89PNG\0", 10));
    write_file(folder_ / "short.txt", "only a few words of text");
    make_folder(folder_ / "folder");
  }

  void make_runs() {
    output_of(folder_.path(), tiny_training("--out run"));
    output_of(folder_.path(), tiny_training("--scheme learned --out learned"));
  }

  /// A copy of the good run with another config.json or model.safetensors.
  void copy_run(const std::string& name, const std::string& file, const std::string& bytes) {
    std::filesystem::copy(folder_ / "run", folder_ / name);
    write_file(folder_ / (name + "/" + file), bytes);
  }

  void expect_refused(const std::vector<BadInput>& cases) {
    const auto before = contents_of(folder_.path());
    for (const auto& [what, line, wanted] : cases) {
      const Outcome outcome = phasor(folder_.path(), line);
      std::printf("  %-38s %s", (what + ":").c_str(), outcome.err.c_str());
      EXPECT_EQ(outcome.code, 2) << what << "\n" << outcome.err;
      EXPECT_TRUE(outcome.err.starts_with("phasor: ")) << what << "\n" << outcome.err;
      EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << what << "\n" << outcome.err;
      for (const std::string& words : wanted)
        EXPECT_NE(outcome.err.find(words), std::string::npos)
            << what << ": no '" << words << "' in\n"
            << outcome.err;
      const bool is_same = contents_of(folder_.path()) == before;
      EXPECT_TRUE(is_same) << what << ": files were changed";
    }
  }

  WorkFolder folder_;
};

}  // namespace phasor::cli
