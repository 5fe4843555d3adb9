// A lab's guide as its reader follows it: the commands that stand in it, run one by one.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tests/labs/lab_run.hpp"

namespace phasor::test {

std::string guide_of(const std::string& lab);

/// Every "labs/run NN ..." and "build/..." of the guide, in code blocks and in the text, once.
std::vector<std::string> commands_in(const std::string& guide);

/// Runs one of them with its results in `out`. "labs/run 02 --full" builds, then runs the lab: only
/// the latter is done here, on the program that is built already. Files that a command writes with
/// --out DIR go to `out` as well.
ProgramOutcome run_command(const std::string& lab, std::string command,
                           const std::filesystem::path& out);

/// Every command of the lab's guide ends with 0; that of the lab alone has been run before.
void expect_commands_run(const std::string& lab);

/// What a test puts in place of a part of a command: a pattern, and the text.
using Replacements = std::vector<std::pair<std::string, std::string>>;

/// The same for guides whose commands train, or read what was trained: folders and numbers of steps
/// are replaced first. The lab with options is left out unless `with_lab`. Returns how many have
/// been run.
std::size_t expect_commands_run(const std::string& lab, const Replacements& replacements,
                                bool with_lab);

/// A text on which a lab is through in a moment, for the commands that train long.
inline std::string short_text() { return PHASOR_SOURCE_DIR "/CMakeLists.txt"; }

/// The guide has every part that a guide has, a key point in Spanish in each of its sections, and
/// the command that brings the solution back.
void expect_parts(const std::string& lab);

/// What a lab says to look for when a check fails is what its guide says that the check catches.
void expect_causes(const std::string& lab, std::span<const Cause> causes);

/// Words that a guide quotes from its lab: each stands in the guide, and in what the lab prints or
/// says of its figures.
void expect_quoted(const std::string& lab, const std::string& printed,
                   const std::vector<std::string>& words);

}  // namespace phasor::test
