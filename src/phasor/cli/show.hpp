// What the commands that show a scheme share: making it, its facts, its files.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "phasor/cli/commands.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor::cli {

/// The scheme with its options at the sizes of the command. Throws ConfigError.
std::unique_ptr<Scheme> make_shown(const ShowCommand& command);

/// "scheme, option value, option value".
std::string title_of(const ShowCommand& command);

/// Facts as "name: value value ...", one a line.
void print_facts(const std::vector<Fact>& facts);
nlohmann::ordered_json facts_to_json(const std::vector<Fact>& facts);

/// Writes `numbers` to --out where it is given, and says so.
void write_out(const ShowCommand& command, const Tensor& numbers, const std::string& what);

/// Writes `figure` to --figure where it is given (with .png, .csv and .json beside it), and says
/// so. Throws ConfigError unless the file ends in .svg.
void write_shown(const ShowCommand& command, Figure figure);

/// A [H, T, T] tensor of scores as one heatmap a head, at most four of them.
Figure score_figure(const ShowCommand& command, const Tensor& scores, const std::string& value);

}  // namespace phasor::cli
