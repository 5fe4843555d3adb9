// What the commands that show a scheme share: making it, its facts, its files.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "phasor/cli/commands.hpp"
#include "phasor/figure/figure.hpp"

namespace phasor::cli {

/// The scheme with its options at the sizes of the command. Throws ConfigError.
std::unique_ptr<Scheme> make_shown(const ShowCommand& command);

/// Throws ConfigError on extents that are zero or do not divide.
void check_sizes(const SchemeSizes& sizes);

/// "rope, p_rope, xpos, pope" of "rotation".
std::string names_of_kind(const std::string& kind);

/// "scheme, option value, option value".
std::string title_of(const ShowCommand& command);

/// Facts as "name: value value ...", one a line.
void print_facts(const std::vector<Fact>& facts);
nlohmann::ordered_json facts_to_json(const std::vector<Fact>& facts);

/// What the last query of `scores` [H, T, T] gives to keys at distance 0, 1, 2, ...
std::vector<double> by_distance(const Tensor& scores, std::size_t head);
/// The same for every head, at the first few distances.
void print_by_distance(const std::string& title, const Tensor& scores);

/// Throws when --out or --figure cannot be written: before the work, not after it.
void check_places(const ShowCommand& command);

/// Writes `numbers` to --out where it is given, and says so.
void write_out(const ShowCommand& command, const Tensor& numbers, const std::string& what);

/// Writes `figure` to --figure where it is given (with .png, .csv and .json beside it), and says
/// so.
void write_shown(const ShowCommand& command, Figure figure);

/// A [H, T, T] tensor of scores as one heatmap a head, at most four of them.
Figure score_figure(const ShowCommand& command, const Tensor& scores, const std::string& value);

}  // namespace phasor::cli
