#include "phasor/course/bake_off/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/course/bake_off/measures.hpp"
#include "phasor/course/runs.hpp"
#include "phasor/course/topics.hpp"
#include "phasor/position/kernel.hpp"
#include "phasor/position/schemes.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

/// What each is called, and what is said against it.
struct Said {
  std::string scheme, name, weakness;
};
const std::vector<Said>& said() {
  static const std::vector<Said> rows{
      {"sinusoidal", "Sinusoidal", "has vectors for any length, which models do not understand"},
      {"learned", "Learned", "no vector beyond the table; costs parameters"},
      {"transformer_xl", "Relative (Transformer-XL)",
       "costs parameters, and products in every layer (said, not measured)"},
      {"rope", "RoPE", "slow pairs meet angles that training never reached"},
      {"alibi", "ALiBi", "far keys fade, wanted or not"}};
  return rows;
}

/// The first number of four digits in "Vaswani et al. 2017, arXiv 1706.03762".
std::string year_of(const std::string& paper) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i + 4 <= paper.size(); ++i)
    if (std::all_of(paper.begin() + static_cast<std::ptrdiff_t>(i),
                    paper.begin() + static_cast<std::ptrdiff_t>(i) + 4, is_digit))
      return paper.substr(i, 4);
  return "";
}

constexpr std::size_t kFarKey = 32;

/// What was measured of the weakness, and the number that stands for it.
Cell measured(const SchemeFacts& facts, std::size_t context, std::size_t least_parameters) {
  const std::size_t more = facts.parameters - least_parameters;
  std::vector<std::string> parts;
  if (std::isnan(facts.far.mean))
    parts.push_back(fmt::format("no encoding for {} characters", 4 * context));
  else
    parts.push_back(fmt::format("{:.2f} nats a character at {}, {:.2f} at {}", facts.near.mean,
                                context, facts.far.mean, 4 * context));
  if (more > 0) parts.push_back(fmt::format("{} parameters more", more));
  if (facts.weight_far < 0.01)
    parts.push_back(
        fmt::format("a key {} back weighs {:.2g} of a token itself in the steepest head", kFarKey,
                    facts.weight_far));
  if (!std::isnan(facts.copied) && !std::isnan(facts.copied_twice))
    parts.push_back(
        fmt::format("copies {:.0f}\u00a0% of strings of the trained length, {:.0f}\u00a0% of those "
                    "twice as long",
                    100 * facts.copied, 100 * facts.copied_twice));
  return {fmt::format("{}", fmt::join(parts, "; ")), std::isnan(facts.far.mean)
                                                         ? static_cast<double>(more)
                                                         : facts.far.mean - facts.near.mean};
}

/// Share of strings copied, `times` as long as those of training.
double copied_by(const fs::path& runs, const std::string& scheme, std::size_t times) {
  const TaskPlan& plan = task_plans().front();
  Workers workers(0);
  std::vector<double> shares;
  for (const fs::path& folder : runs_named(runs, fmt::format("{}-{}", name_of(plan.task), scheme)))
    shares.push_back(task_score(*load_run(folder).model, plan.task, times * plan.trained, workers));
  return spread_of(shares).mean;  // NaN when there are none
}

/// exp(logit of a key kFarKey back - logit of the token itself), the least of all heads; NaN where
/// the scheme has no encoding so far.
double far_weight(const GptConfig& config) try {
  Rng rng(1);
  const auto scheme = make_scheme(config.scheme, config.options, config.sizes(), rng);
  const Tensor kernel =
      score_kernel(*scheme, config.sizes(), consecutive_positions(kFarKey + 1), true);
  double least = 1;
  for (std::size_t h = 0; h < kernel.shape()[0]; ++h)
    least = std::min(least, std::exp(static_cast<double>(kernel(h, kFarKey, 0)) -
                                     static_cast<double>(kernel(h, kFarKey, kFarKey))));
  return least;
} catch (const PositionError&) {
  return std::nan("");
}

}  // namespace

std::vector<SchemeFacts> facts_of_schemes(const fs::path& runs) {
  std::vector<std::string> names;
  for (const Said& row : said()) names.push_back(row.scheme);
  const auto folders = runs_trained_alike(runs, names);
  std::vector<SchemeFacts> facts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    check<DataError>(!folders[i].empty(), "there is no run {}; make it with: labs/run 12",
                     (runs / fmt::format("toy-{}-1", names[i])).string());
    const auto loss = [&](std::size_t times) {
      return over_runs(folders[i], kMeasuredTokens, [times](const Run& run, const Encoded& text) {
        return loss_at(run, text, times * run.config.model.context);
      });
    };
    const Run run = load_run(folders[i].front());
    facts.push_back({names[i], loss(1), loss(4), run.model->parameter_count(),
                     copied_by(runs, names[i], 1), copied_by(runs, names[i], 2),
                     far_weight(run.config.model)});
  }
  return facts;
}

Figure schemes_figure(const std::vector<SchemeFacts>& facts, std::size_t context) {
  std::size_t least = facts.front().parameters;
  for (const SchemeFacts& one : facts) least = std::min(least, one.parameters);
  TablePanel table{.columns = {{"scheme"},
                               {"year", true},
                               {"idea"},
                               {"weakness, as it is said"},
                               {"weakness, as measured"}}};
  std::vector<std::string> words;
  for (const SchemeFacts& one : facts) {
    const auto row = std::find_if(said().begin(), said().end(),
                                  [&](const Said& said) { return said.scheme == one.scheme; });
    const SchemeEntry& entry = find_scheme(one.scheme);
    const Cell cell = measured(one, context, least);
    table.rows.push_back({row->name, year_of(entry.paper), entry.summary, row->weakness, cell});
    words.push_back(fmt::format("{}, {}: {}", row->name, year_of(entry.paper), cell.text));
  }
  const std::string numbers = fmt::format("{}", fmt::join(words, ". "));
  return {.id = "lab12-schemes",
          .claims_id = "D0-T1",
          .title = "Five encodings: year, idea, weakness",
          .caption = fmt::format("Years are those of the papers. The last column is measured on "
                                 "models trained at {} characters in lab 12. {}.",
                                 context, numbers),
          .alt = fmt::format("Table of five encodings with year, idea, what is said against them "
                             "and what was measured. {}.",
                             numbers),
          .panels = {{.content = table}}};
}

std::vector<FigureEntry> bake_off_figures() {
  return {{"D0-T1", "lab12", "Comparison of schemes: year, idea, weakness measured",
           [](const fs::path& results) {
             const fs::path runs = results / "lab12" / "runs";
             const std::vector<SchemeFacts> facts = facts_of_schemes(runs);
             const auto any = runs_trained_alike(runs, {"rope"}).front().front();
             return schemes_figure(facts, load_run_config(any).model.context);
           }}};
}

}  // namespace phasor
