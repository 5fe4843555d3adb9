#include "phasor/course/length/claims.hpp"

#include <fmt/format.h>

#include "phasor/analysis/similarity.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

constexpr const char *kAbsolute = "toy-sinusoidal", *kTable = "toy-learned", *kRotary = "toy-rope",
                     *kLinear = "toy-alibi";
fs::path runs_folder(const Evidence& evidence) { return evidence.folder_of("lab10") / "runs"; }

Finding missing(const Evidence& evidence, const std::string& name) {
  return not_measured(runs_folder(evidence) / (name + "-1"), "lab10");
}

/// `verdict` on the curve of each of these schemes, or not measured when one has no run.
Finding on_curves(const Evidence& evidence, const std::vector<std::string>& names,
                  const std::function<Finding(const std::vector<LengthCurve>&)>& verdict,
                  const LengthOptions& options = {}) {
  std::vector<LengthCurve> curves;
  for (const std::string& name : names) {
    const std::vector<fs::path> runs = runs_named(runs_folder(evidence), name);
    if (runs.empty()) return missing(evidence, name);
    curves.push_back(length_curve(name.substr(name.find('-') + 1), runs, options));
  }
  return verdict(curves);
}

/// Tokens in the shortest window longer than those of training that the model refuses; 0: none up
/// to eight times as long.
std::size_t refused_length(const Run& run, const Encoded& validation) {
  const std::size_t T = run.config.model.context;
  Workers workers(1);
  for (const std::size_t length : {T + 1, 2 * T, 4 * T, 8 * T}) try {
      evaluate(*run.model, validation, {.context = length}, workers);
    } catch (const PositionError&) {
      return length;
    }
  return 0;
}

/// Of the learned table's first run; none when it is not there.
struct TableEnd {
  std::size_t trained, refused_at;
};
std::optional<TableEnd> table_end(const Evidence& evidence) {
  const std::vector<fs::path> runs = runs_named(runs_folder(evidence), kTable);
  if (runs.empty()) return std::nullopt;
  const Run run = load_run(runs.front());
  const std::size_t T = run.config.model.context;
  return TableEnd{T, refused_length(run, validation_of(run.config, 8 * T + 1))};
}

Finding measure_table(const Evidence& evidence) {
  const auto end = table_end(evidence);
  return end ? end_of_table(end->trained, end->refused_at) : missing(evidence, kTable);
}

Finding measure_unseen(const Evidence& evidence) {
  const auto end = table_end(evidence);
  if (!end) return missing(evidence, kTable);
  return on_curves(evidence, {kAbsolute}, [&](const auto& curves) {
    return unseen_lengths(end->trained, end->refused_at, curves[0]);
  });
}

Finding measure_scaling(const Evidence& evidence) {
  const std::vector<fs::path> runs = runs_named(runs_folder(evidence), kRotary);
  if (runs.empty()) return missing(evidence, kRotary);
  std::vector<LengthCurve> curves{length_curve("RoPE", runs)};
  for (const auto& [kind, label] : {std::pair{"ntk", "with NTK"}, std::pair{"yarn", "with YaRN"}})
    curves.push_back(length_curve(label, runs, {.options = [kind = kind](std::size_t multiple) {
                                    return scaled(kind, multiple);
                                  }}));
  std::vector<LengthCurve> tuned;
  for (const char* kind : {"none", "ntk", "yarn"}) {
    const std::string name = fmt::format("toy-tuned_{}", kind);
    const std::vector<fs::path> folders = runs_named(runs_folder(evidence), name);
    if (folders.empty()) return missing(evidence, name);
    tuned.push_back(length_curve(kind, folders, {.multiples = {1}}));
  }
  return reach_of_scaling(curves[0], {curves.begin() + 1, curves.end()}, tuned);
}

Finding measure_stability(const Evidence& evidence) {
  return on_curves(evidence, {kAbsolute}, [&](const auto& curves) {
    const auto lengths = norms(evidence.encode(10000, 32, 10000));
    return stability({lengths.begin(), lengths.end()}, curves[0]);
  });
}

/// A claim on the curves of some schemes.
Claim claim(std::string id, std::string document, std::string statement, std::string figure,
            std::vector<std::string> names,
            std::function<Finding(const std::vector<LengthCurve>&)> verdict) {
  return {std::move(id),
          std::move(document),
          std::move(statement),
          "lab10",
          std::move(figure),
          [names = std::move(names), verdict](const Evidence& evidence) {
            return on_curves(evidence, names, verdict);
          }};
}

std::vector<Claim> claims_of_the_table() {
  return {
      claim("D1-sinusoidal-in-theory", "D0, D1, D3",
            "In theory the sinusoidal encoding reaches texts longer than those of training.",
            "lab10-table", {kAbsolute},
            [](const auto& curves) { return reach_of_formula(curves[0]); }),
      {"D1-learned-table-ends", "D1",
       "A learned table has no more positions than it was made with.", "lab10", "lab10-table",
       measure_table},
      {"D2-unseen-lengths", "D2",
       "Sinusoidal vectors carry over to lengths that were never trained, a learned table does "
       "not.",
       "lab10", "lab10-length", measure_unseen},
      claim("D1-rope-reaches-further", "D1", "RoPE works on texts longer than those of training.",
            "lab10-table", {kRotary}, [](const auto& curves) { return steadiness(curves[0]); }),
      claim("D1-rope-beyond-sinusoidal", "D0, D1, D3",
            "RoPE carries over to longer texts better than the sinusoidal encoding.",
            "lab10-length", {kRotary, kAbsolute},
            [](const auto& curves) { return carries_over_better(curves[0], curves[1]); }),
      claim("D1-alibi-reaches-far", "D0, D1", "ALiBi carries over to much longer texts.",
            "lab10-table", {kLinear}, [](const auto& curves) { return steadiness(curves[0]); }),
  };
}

}  // namespace

std::vector<Claim> length_claims() {
  std::vector<Claim> all = claims_of_the_table();
  all.push_back({"D1-scaled-rope", "D1",
                 "With NTK-aware scaling or YaRN, RoPE copes with four to eight times the training "
                 "length.",
                 "lab10", "lab10-scalings", measure_scaling});
  all.push_back(claim("D3-rope-best-for-length", "D3",
                      "For texts longer than those of training RoPE is the choice.", "lab10-length",
                      {kRotary, kAbsolute, kLinear, "toy-t5_bias", "toy-kerple_log"},
                      [](const auto& curves) {
                        return best_at_the_end(curves[0], {curves.begin() + 1, curves.end()});
                      }));
  all.push_back({"D2-stable-when-long", "D2", "The sinusoidal encoding is stable on long texts.",
                 "lab10", "lab10-length", measure_stability});
  return all;
}

}  // namespace phasor
