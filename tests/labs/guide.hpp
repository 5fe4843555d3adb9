// A lab's guide as its reader follows it: the commands that stand in it, run one by one.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "phasor/core/file.hpp"
#include "tests/figure/sample.hpp"
#include "tests/run_program.hpp"

namespace phasor::test {

inline std::string guide_of(const std::string& lab) {
  return read_file(std::filesystem::path(PHASOR_SOURCE_DIR) / "labs" / lab / "README.md");
}

/// Every "labs/run NN ..." and "build/..." of the guide, in code blocks and in the text, once.
inline std::vector<std::string> commands_in(const std::string& guide) {
  static const std::regex command(R"((^|`)((labs/run|build/[a-z0-9_]+)( [^`\n]*)?))");
  std::vector<std::string> found;
  std::istringstream lines(guide);
  for (std::string line; std::getline(lines, line);)
    for (std::sregex_iterator match(line.begin(), line.end(), command), end; match != end; ++match)
      if (std::find(found.begin(), found.end(), (*match)[2]) == found.end())
        found.push_back((*match)[2]);
  return found;
}

/// Runs one of them with its results in `out`. "labs/run 02 --full" builds, then runs the lab: only
/// the latter is done here, on the program that is built already. Files that a command writes with
/// --out DIR go to `out` as well.
inline ProgramOutcome run_command(const std::string& lab, std::string command,
                                  const std::filesystem::path& out) {
  const std::string run = "labs/run " + lab.substr(3, 2);
  std::string program = lab;
  if (command.starts_with(run)) {
    command = command.substr(run.size());
  } else {
    EXPECT_TRUE(command.starts_with("build/")) << command;
    const std::size_t end = std::min(command.find(' '), command.size());
    program = command.substr(6, end - 6);
    command = command.substr(end);
  }
  command = std::regex_replace(command, std::regex(" --out [^ ]+"), "");
  return run_program(program, command + " --out '" + out.string() + "'", "2>&1");
}

/// Every command of the lab's guide ends with 0.
inline void expect_commands_run(const std::string& lab) {
  const std::vector<std::string> commands = commands_in(guide_of(lab));
  EXPECT_FALSE(commands.empty());
  for (const std::string& command : commands) {
    const TemporaryFolder folder;
    const ProgramOutcome outcome = run_command(lab, command, folder.path() / lab.substr(0, 5));
    EXPECT_EQ(outcome.code, 0) << command << "\n" << outcome.text;
  }
}

/// The guide has every part that a guide has, and a key point in Spanish in each of its sections.
inline void expect_parts(const std::string& lab) {
  const std::string guide = guide_of(lab);
  std::size_t place = 0;
  for (const char* part :
       {"# Lab ", "**Goal.**", "**Time.**", "**What to know first.**", "🇪🇸 **Objetivo:**",
        "## Predict", "🇪🇸 **Punto clave:**", "## Build", "🇪🇸 **Punto clave:**", "## Check",
        "🇪🇸 **Punto clave:**", "## Look", "🇪🇸 **Punto clave:**", "## Experiment",
        "🇪🇸 **Punto clave:**", "## Explain", "🇪🇸 **Punto clave:**", "## What to try next",
        "🇪🇸 **Punto clave:**"}) {
    place = guide.find(part, place);
    ASSERT_NE(place, std::string::npos) << part;
  }
}

/// Words that a guide quotes from its lab: each stands in the guide, and in what the lab prints or
/// says of its figures.
inline void expect_quoted(const std::string& lab, const std::string& printed,
                          const std::vector<std::string>& words) {
  const std::string guide = guide_of(lab);
  for (const std::string& word : words) {
    EXPECT_NE(guide.find(word), std::string::npos) << "not in the guide: " << word;
    EXPECT_NE(printed.find(word), std::string::npos) << "not from the lab: " << word;
  }
}

/// Every file of the one folder is there in the other, with the same bytes; summary.json, which
/// holds the seconds, is left out. Returns how many were compared.
inline std::size_t expect_same_files(const std::filesystem::path& a,
                                     const std::filesystem::path& b) {
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(a)) {
    const std::filesystem::path name = entry.path().filename();
    if (!entry.is_regular_file() || name == "summary.json") continue;
    EXPECT_EQ(read_file(entry.path()), read_file(b / name)) << name;
    ++compared;
  }
  return compared;
}

/// Figures with their words, numbers and pictures. `figures`: name, id in the documents.
inline void expect_figures(const std::filesystem::path& out,
                           const std::vector<std::pair<std::string, std::string>>& figures) {
  for (const auto& [id, claims_id] : figures) {
    const auto words = nlohmann::json::parse(read_file(out / (id + ".json")));
    EXPECT_EQ(words["claims_id"], claims_id) << id;
    EXPECT_TRUE(words["drawn"]) << id;
    EXPECT_GT(words["alt"].get<std::string>().size(), 60u) << id;
    for (const char* ending : {".csv", ".svg", ".png"})
      EXPECT_GT(std::filesystem::file_size(out / (id + ending)), 1000u) << id << ending;
  }
}

}  // namespace phasor::test
