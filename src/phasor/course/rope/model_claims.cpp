// What is claimed of rotating queries and keys, measured on models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phasor/analysis/matrix.hpp"
#include "phasor/analysis/score_map.hpp"
#include "phasor/analysis/spread.hpp"
#include "phasor/course/rope/claims.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/position/learned.hpp"
#include "phasor/position/none.hpp"
#include "phasor/position/rope.hpp"
#include "phasor/position/sinusoidal.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

GptConfig model_of(const SchemeEntry& scheme) {
  GptConfig config;
  config.vocabulary = 32;
  config.layers = 3;
  config.scheme = scheme.name;
  return config;
}

Gpt fresh(const SchemeEntry& scheme) {
  Rng rng(1, "weights");
  return {model_of(scheme), rng};
}

Finding no_parameters(const Evidence&) {
  const std::size_t bare = fresh(none()).parameter_count();
  const std::size_t turned = fresh(rope()).parameter_count();
  const std::size_t table = fresh(learned()).parameter_count();
  return {turned == bare ? Verdict::kHolds : Verdict::kFails,
          fmt::format("A model of width 64 and context 64 has {} parameters without positions, {} "
                      "with the rotation, and {} with a learned table.",
                      bare, turned, table),
          {{"none", static_cast<double>(bare)},
           {"rotated", static_cast<double>(turned)},
           {"learned", static_cast<double>(table)}}};
}

/// How many operations a forward pass makes up to the attention of each layer, and after the last.
std::vector<std::size_t> operations_by_layer(const SchemeEntry& scheme) {
  const Gpt model = fresh(scheme);
  const NoGrad no_grad;
  std::vector<std::size_t> counts(1, 0);
  const ObserveOps observe([&counts](const Var& result, const std::vector<Var>&) {
    ++counts.back();
    if (std::string_view(result.name()) == "attention") counts.push_back(0);
  });
  Indices tokens = Indices::from_shape({1, 8});
  tokens.fill(1);
  model(tokens);
  return counts;
}

/// In how many layers `scheme` does more than a model without positions.
std::size_t layers_touched(const SchemeEntry& scheme) {
  const std::vector<std::size_t> bare = operations_by_layer(none());
  const std::vector<std::size_t> counts = operations_by_layer(scheme);
  std::size_t touched = 0;
  for (std::size_t layer = 0; layer + 1 < bare.size(); ++layer)
    touched += counts.at(layer) > bare[layer];
  return touched;
}

Finding every_layer(const Evidence&) {
  const std::size_t layers = model_of(none()).layers;
  const std::size_t turned = layers_touched(rope()), added = layers_touched(sinusoidal());
  return {turned == layers && added == 1 ? Verdict::kHolds : Verdict::kFails,
          fmt::format("In a model of {} layers, watched operation by operation, the rotation is at "
                      "work in {} of them; the added encoding enters {}.",
                      layers, turned, added == 1 ? "once, before the first" : "in more than one"),
          {{"layers", static_cast<double>(layers)},
           {"rotated", static_cast<double>(turned)},
           {"added", static_cast<double>(added)}}};
}

Finding costs_little(const Evidence& evidence) {
  const GptConfig config = model_of(rope());
  const double C = static_cast<double>(config.width), T = static_cast<double>(config.context);
  const xt::xarray<double> basis = identity(config.width / config.heads);
  const xt::xarray<double> turned =
      evidence.rotate(basis, std::vector<double>(basis.shape(0), 5), 10000);
  std::size_t most = 0;
  for (std::size_t c = 0; c < basis.shape(0); ++c) {
    std::size_t in_column = 0;
    for (std::size_t i = 0; i < basis.shape(0); ++i) in_column += std::abs(turned(i, c)) > 1e-15;
    most = std::max(most, in_column);
  }
  // A token's multiplications in a layer: four projections, an MLP of four times the width, and the
  // products with half of the context; then those that turn its query and its key.
  const double layer = 12 * C * C + 2 * C * T / 2;
  const double rotation = 2 * static_cast<double>(most) * C;
  return {
      most == 2 ? Verdict::kHolds : Verdict::kFails,
      fmt::format("Of the {} numbers of a head's row each turned one is made of {}; at width {:g} "
                  "and context {:g} that is {:.2f} % of a layer's multiplications.",
                  basis.shape(0), most, C, T, 100 * rotation / layer),
      {{"numbers", static_cast<double>(most)}, {"share", rotation / layer}}};
}

/// The runs of the rotation and of two added encodings.
struct Trained {
  std::vector<fs::path> rotated, sines, table;
  bool are_there() const { return !rotated.empty() && !sines.empty() && !table.empty(); }
};

Trained trained_of(const Evidence& evidence) {
  const fs::path runs = evidence.folder_of("lab08") / "runs";
  const auto of = [&](const SchemeEntry& scheme) {
    return runs_named(runs, fmt::format("toy-{}", scheme.name));
  };
  return {of(rope()), of(sinusoidal()), of(learned())};
}

Finding no_runs(const Evidence& evidence) {
  const std::string first = fmt::format("toy-{}-1", rope().name);
  return not_measured(evidence.folder_of("lab08") / "runs" / first, "lab08");
}

RecordedLosses losses_of(const std::vector<fs::path>& runs) {
  std::vector<double> means, ends;
  for (const fs::path& folder : runs) {
    const std::size_t steps = load_run_config(folder).train.steps;
    std::vector<double> losses;
    for (const MetricsRecord& record : read_metrics(folder / "metrics.jsonl", steps))
      losses.push_back(record.validation_loss);
    means.push_back(spread_of(losses).mean);
    ends.push_back(losses.empty() ? std::nan("") : losses.back());
  }
  return {spread_of(means), spread_of(ends)};
}

/// How much of the largest score varies along diagonals when one content stands everywhere.
double spread_of_rotation(const Rotation& rotate) {
  constexpr std::size_t T = 32;
  Rng rng(1, "structure");
  const xt::xarray<double> pair = normal_rows(2, 16, 1, rng);
  std::vector<double> positions(T);
  for (std::size_t i = 0; i < T; ++i) positions[i] = static_cast<double>(i);
  return relative_spread_on_diagonals(
      score_map(rotate(repeated_row(pair, 0, T), positions, 10000),
                rotate(repeated_row(pair, 1, T), positions, 10000)));
}

/// How the rotation's losses stand to those of an added encoding.
std::string standing(const Spread& rotated, const Spread& added, const std::string& name) {
  if (std::isnan(rotated.mean) || std::isnan(added.mean))
    return fmt::format("not to be compared with {}", name);
  if (!lie_apart(rotated, added))
    return fmt::format("level with {}, inside the spread over seeds", name);
  return fmt::format("{} {}", rotated.mean < added.mean ? "ahead of" : "behind", name);
}

Finding nothing_to_extract(const Evidence& evidence) {
  const Trained runs = trained_of(evidence);
  if (!runs.are_there()) return no_runs(evidence);
  return judged({.structure = spread_of_rotation(evidence.rotate),
                 .rotated = losses_of(runs.rotated),
                 .sines = losses_of(runs.sines),
                 .table = losses_of(runs.table),
                 .seeds = runs.rotated.size(),
                 .steps = load_run_config(runs.rotated[0]).train.steps});
}

}  // namespace

Finding judged(const OffsetsLearned& found) {
  const bool given = found.structure < 1e-10;  // rounding, and no more
  const Spread &rotated = found.rotated.on_the_way, &sines = found.sines.on_the_way,
               &table = found.table.on_the_way;
  const bool apart = lie_apart(rotated, sines) && lie_apart(rotated, table);
  const bool pays_less = rotated.most < sines.least && rotated.most < table.least;
  return {given && pays_less && found.seeds > 1 ? Verdict::kHolds : Verdict::kFails,
          fmt::format(
              "Before any training, rotated scores of one content vary by {:.1e} of the largest at "
              "equal offsets: they {} a function of the offset. Over {} steps, {}, the validation "
              "loss is on average {} with the rotation, {} with added sines and {} with an added "
              "table. The rotation is {}, and {}{}. After the last step it is {}, {} and {}.",
              found.structure, given ? "are" : "are not", found.steps, seeds_of(found.seeds),
              text_of(rotated), text_of(sines), text_of(table),
              standing(rotated, sines, "added sines"), standing(rotated, table, "the added table"),
              apart && found.seeds > 1 ? ", beyond the spread over seeds" : "",
              text_of(found.rotated.at_the_end), text_of(found.sines.at_the_end),
              text_of(found.table.at_the_end)),
          {{"structure", found.structure},
           {"rotated", rotated.mean},
           {"sines", sines.mean},
           {"table", table.mean}}};
}

std::vector<Claim> rope_model_claims() {
  return {
      {"D1-no-parameters", "D1", "The rotation adds no parameters to a model.", "lab08",
       "lab08-angles", no_parameters},
      {"D2-every-layer", "D2",
       "An added encoding enters once, before the first layer; the rotation works inside "
       "attention.",
       "lab08", "lab08-matrices", every_layer},
      {"D1-cheap-rotation", "D0, D1", "Rotating queries and keys is efficient.", "lab08",
       "lab08-matrices", costs_little},
      {"D2-nothing-to-extract", "D2",
       "With the rotation a model need not learn to extract relative position, as it must from an "
       "added encoding.",
       "lab08", "lab08-loss", nothing_to_extract}};
}

}  // namespace phasor
