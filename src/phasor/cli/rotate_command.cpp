#include <nlohmann/json.hpp>
#include <numbers>

#include "phasor/cli/show.hpp"
#include "phasor/core/error.hpp"
#include "phasor/position/rotation.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor::cli {
namespace {

/// Those asked for, or at most twelve spread over all.
std::vector<std::size_t> shown_pairs(const RotateCommand& command, std::size_t count) {
  for (const std::size_t pair : command.pairs)
    check<ConfigError>(pair < count, "--pair {} does not exist: there are {} pairs, 0 to {}", pair,
                       count, count - 1);
  if (!command.pairs.empty()) return command.pairs;
  const std::size_t shown = std::min<std::size_t>(count, 12);
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < shown; ++i)
    pairs.push_back(shown == 1 ? 0 : i * (count - 1) / (shown - 1));
  return pairs;
}

/// A fact with one number for each pair is a column of the table, the others stand above it.
void print_table(const std::vector<Fact>& facts, const std::vector<double>& frequencies,
                 const std::vector<std::size_t>& pairs) {
  std::vector<Fact> columns, others;
  for (const Fact& fact : facts)
    (fact.values.size() == frequencies.size() && frequencies.size() > 2 ? columns : others)
        .push_back(fact);
  print_facts(others);
  fmt::print("\n{:>6} {:>14} {:>14}", "pair", "radians/token", "wavelength");
  for (const Fact& column : columns) fmt::print("  {}", column.name);
  for (const std::size_t pair : pairs) {
    const double w = frequencies[pair];
    const std::string wavelength =
        w == 0 ? "not rotated" : fmt::format("{:.6g}", 2 * std::numbers::pi / w);
    fmt::print("\n{:>6} {:>14.6g} {:>14}", pair, w, wavelength);
    for (const Fact& column : columns)
      fmt::print("  {:>{}.3f}", column.values[pair], column.name.size());
  }
  fmt::print("\n");
}

Figure angle_figure(const RotateCommand& command, const Tensor& angles) {
  const std::size_t T = angles.shape()[0], pairs = angles.shape()[1];
  HeatmapPanel map{
      .palette = Palette::kDiverging, .value_title = "cosine of the angle", .low = -1, .high = 1};
  map.values = xt::xarray<double>::from_shape({T, pairs});
  for (std::size_t i = 0; i < angles.size(); ++i)
    map.values.data()[i] = std::cos(static_cast<double>(angles.data()[i]));
  const double last = static_cast<double>(angles(T - 1, pairs - 1));
  return {
      .title = fmt::format("Angles of {}", title_of(command)),
      .caption = fmt::format("Cosine of the angle by which each pair is turned, {} positions. "
                             "The last pair has turned by {:.3g} radians at the last position.",
                             T, last),
      .alt = fmt::format("Heatmap of {} positions by {} pairs: stripes that grow wider from "
                         "the first pair to the last, which turns by {:.3g} radians in all.",
                         T, pairs, last),
      .panels = {{.x = {.title = "pair"}, .y = {.title = "position (tokens)"}, .content = map}}};
}

}  // namespace

void run(const RotateCommand& command) {
  check_places(command);
  const auto scheme = make_shown(command);
  const auto* rotation = dynamic_cast<const RotationScheme*>(scheme.get());
  check<ConfigError>(rotation != nullptr,
                     "{} rotates nothing (it enters as: {}), so there are no angles; choose one of "
                     "{}",
                     command.scheme, find_scheme(command.scheme).kind, names_of_kind("rotation"));
  const Positions positions = consecutive_positions(command.positions);
  const std::vector<double> frequencies = rotation->frequencies(positions);
  Tensor angles = empty({positions.size(), frequencies.size()});
  for (std::size_t i = 0; i < angles.size(); ++i)
    angles.data()[i] =
        static_cast<Real>(positions[i / frequencies.size()] * frequencies[i % frequencies.size()]);
  const std::vector<std::size_t> pairs = shown_pairs(command, frequencies.size());
  if (command.json) {
    const nlohmann::ordered_json json{{"scheme", command.scheme},
                                      {"factor", rotation->factor()},
                                      {"frequencies", frequencies},
                                      {"facts", facts_to_json(scheme->facts())}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: head width {}, {} positions; cos and sin are multiplied by {:g}.\n",
               title_of(command), command.width, command.positions, rotation->factor());
    print_table(scheme->facts(), frequencies, pairs);
    if (command.pairs.empty() && pairs.size() < frequencies.size())
      fmt::print("{} of {} pairs; --pair N shows others, --json all.\n", pairs.size(),
                 frequencies.size());
  }
  write_out(command, angles, "angles");
  if (!command.figure.empty()) write_shown(command, angle_figure(command, angles));
}

}  // namespace phasor::cli
