#include "tests/labs/guide.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "phasor/core/file.hpp"

namespace phasor::test {

std::string guide_of(const std::string& lab) {
  return read_file(std::filesystem::path(PHASOR_SOURCE_DIR) / "labs" / lab / "README.md");
}

std::vector<std::string> commands_in(const std::string& guide) {
  static const std::regex command(R"((^ *|`)((labs/run|build/[a-z0-9_]+)( [^`\n]*)?))");
  std::vector<std::string> found;
  std::istringstream lines(guide);
  for (std::string line; std::getline(lines, line);)
    for (std::sregex_iterator match(line.begin(), line.end(), command), end; match != end; ++match)
      if (std::find(found.begin(), found.end(), (*match)[2]) == found.end())
        found.push_back((*match)[2]);
  return found;
}

ProgramOutcome run_command(const std::string& lab, std::string command,
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

void expect_commands_run(const std::string& lab) {
  const std::vector<std::string> commands = commands_in(guide_of(lab));
  EXPECT_FALSE(commands.empty());
  for (const std::string& command : commands) {
    if (command == "labs/run " + lab.substr(3, 2)) continue;  // the run that the suite begins with
    const TemporaryFolder folder;
    const ProgramOutcome outcome = run_command(lab, command, folder.path() / lab.substr(0, 5));
    EXPECT_EQ(outcome.code, 0) << command << "\n" << outcome.text;
  }
}

std::size_t expect_commands_run(const std::string& lab, const Replacements& replacements,
                                bool with_lab) {
  const std::string own = "labs/run " + lab.substr(3, 2);  // the run that the suite begins with
  std::size_t run = 0;
  for (std::string command : commands_in(guide_of(lab))) {
    const bool is_lab = command.starts_with("labs/run") || command.starts_with("build/" + lab);
    if ((is_lab && !with_lab) || command == own) continue;
    for (const auto& [pattern, text] : replacements) command = replaced(command, pattern, text);
    if (command == own) continue;
    const TemporaryFolder results;
    const std::size_t end = command.find(' ');
    const ProgramOutcome outcome =
        is_lab ? run_command(lab, command, results.path() / lab.substr(0, 5))
               : run_program(command.substr(6, end - 6), command.substr(end), "2>&1");
    EXPECT_EQ(outcome.code, 0) << command << "\n" << outcome.text;
    ++run;
  }
  return run;
}

void expect_parts(const std::string& lab) {
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
  const std::string solution = "labs/" + lab + "/solution.cpp";
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(PHASOR_SOURCE_DIR) / solution));
  EXPECT_NE(guide.find("\ngit checkout " + solution + "\n"), std::string::npos) << solution;
}

void expect_causes(const std::string& lab, std::span<const Cause> causes) {
  const std::string guide = replaced(guide_of(lab), "`", "");
  for (const Cause& cause : causes)
    EXPECT_NE(guide.find(cause.look_for), std::string::npos)
        << cause.part << ": " << cause.look_for;
}

void expect_quoted(const std::string& lab, const std::string& printed,
                   const std::vector<std::string>& words) {
  const std::string guide = guide_of(lab);
  for (const std::string& word : words) {
    EXPECT_NE(guide.find(word), std::string::npos) << "not in the guide: " << word;
    EXPECT_NE(printed.find(word), std::string::npos) << "not from the lab: " << word;
  }
}

}  // namespace phasor::test
