// Trained models among the results of the labs: found by name, with the text they are measured on.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "phasor/analysis/spread.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/train/run.hpp"

namespace phasor {

/// The runs folder/NAME-1, folder/NAME-2, ... that are there, by seed: labs name them so
/// (labs/common/training.hpp).
std::vector<std::filesystem::path> runs_named(const std::filesystem::path& folder,
                                              const std::string& name);

/// Removes them: whoever looks for the runs of that name then finds those that are trained next.
/// Throws ConfigError when one is in use.
void remove_runs(const std::filesystem::path& folder, const std::string& name);

/// The first `count` tokens of the validation part of the text that a run was trained on, or all
/// when it has fewer. A lab draws the toy language with its --seed and trains with that seed and
/// those after it, so the text is looked for from the run's own seed downwards. Throws DataError
/// when none of them is the run's text.
Encoded validation_of(const RunConfig& config, std::size_t count);

/// One number for every run, from its model and its validation text, and the spread over runs.
Spread over_runs(const std::vector<std::filesystem::path>& runs, std::size_t tokens,
                 const std::function<double(const Run& run, const Encoded& validation)>& measure);

/// How a finding names a spread: "1.234" of one run, "1.234 (1.230 to 1.240)" of several.
std::string text_of(const Spread& spread, int decimals = 3);

/// "over 3 seeds", or "with one seed, so a small difference may be noise".
std::string seeds_of(std::size_t runs);

}  // namespace phasor
