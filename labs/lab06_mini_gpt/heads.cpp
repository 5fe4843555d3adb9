#include "labs/lab06_mini_gpt/heads.hpp"

#include <algorithm>
#include <cmath>

#include "labs/common/table.hpp"
#include "labs/lab06_mini_gpt/experiment.hpp"
#include "phasor/course/runs.hpp"

namespace phasor::lab06 {
namespace {

constexpr std::size_t kWidth = 32, kContext = 32;

/// What stands in the stream before the first block.
struct Input {
  const char *name, *label, *scheme;
  EmbeddingScale scale;
};
constexpr Input kInputs[] = {
    {"none", "none", "none", EmbeddingScale::off},
    {"sinusoidal", "sinusoidal", "sinusoidal", EmbeddingScale::on},
    {"scaled", "none, scaled", "none", EmbeddingScale::on},
};

std::string name_of(const Input& input, bool tied) {
  return fmt::format("head-{}-{}", tied ? "tied" : "own", input.name);
}

/// Cosine of the last stream with the first, mean over the tokens of a few windows.
double kept_by(const Run& run, const Encoded& validation) {
  const std::size_t T = run.config.model.context, C = run.config.model.width;
  const std::size_t windows = std::min<std::size_t>(64, validation.size() / T);
  Indices tokens = Indices::from_shape({windows, T});
  std::copy_n(validation.begin(), windows * T, tokens.begin());
  const NoGrad no_grad;
  Recording recording;
  (*run.model)(tokens, {.recording = &recording});
  const auto *first = recording.layers.front().stream.data(), *last = recording.stream.data();
  double sum = 0;
  for (std::size_t token = 0; token < windows * T; ++token, first += C, last += C) {
    double product = 0, before = 0, behind = 0;
    for (std::size_t c = 0; c < C; ++c) {
      product += static_cast<double>(first[c]) * static_cast<double>(last[c]);
      before += static_cast<double>(first[c]) * static_cast<double>(first[c]);
      behind += static_cast<double>(last[c]) * static_cast<double>(last[c]);
    }
    sum += product / std::sqrt(before * behind);
  }
  return sum / static_cast<double>(windows * T);
}

/// "below none (1.108)", or that the seeds leave it open.
std::string beside(const Spread& one, const Spread& other, const std::string& name) {
  return !lie_apart(one, other)  ? fmt::format("not to be told from {} ({:.3f})", name, other.mean)
         : one.mean < other.mean ? fmt::format("below {} ({:.3f})", name, other.mean)
                                 : fmt::format("above {} ({:.3f})", name, other.mean);
}

/// "+0.088 nats", or that it is noise.
std::string change(const Spread& from, const Spread& to) {
  return fmt::format("{:+.3f} nats{}", to.mean - from.mean,
                     lie_apart(from, to) ? "" : " (inside the spread over seeds)");
}

}  // namespace

std::vector<HeadRow> train_heads(const Lab& lab, const Corpus& toy, std::size_t steps) {
  Plan plan = small_plan(lab, lab.full() ? 5 : 3);
  plan.model.context = kContext;
  plan.model.width = kWidth;
  plan.train = training(steps_or(steps, lab, 160, 1500), 8, 1e-2);
  plan.evaluation_tokens = 20000;
  for (const Input& input : kInputs)
    for (const bool tied : {false, true}) plan.schemes.push_back(name_of(input, tied));
  plan.configure = [](RunConfig& config, const std::string& name) {
    for (const Input& input : kInputs)
      for (const bool tied : {false, true})
        if (name_of(input, tied) == name) {
          config.model.scheme = input.scheme;
          config.model.embedding_scale = input.scale;
          config.model.tied = tied;
        }
  };
  const auto runs_of = [](Outcome outcome) {
    const Spread kept = over_runs(outcome.folders, 64 * kContext, kept_by);
    return HeadRuns{std::move(outcome), kept};
  };
  std::vector<Outcome> outcomes = train_all(plan, toy);
  std::vector<HeadRow> rows;
  for (std::size_t i = 0; i < std::size(kInputs); ++i)
    rows.push_back({kInputs[i].label, runs_of(std::move(outcomes[2 * i])),
                    runs_of(std::move(outcomes[2 * i + 1]))});
  return rows;
}

std::string heads_table(const std::vector<HeadRow>& rows) {
  std::vector<std::vector<std::string>> cells = {
      {"", "loss, head of its own", "loss, tied head", "kept, own", "kept, tied"}};
  for (const HeadRow& row : rows)
    cells.push_back(
        {row.label, text_of(final_loss(row.own.outcome)), text_of(final_loss(row.tied.outcome)),
         fmt::format("{:.2f}", row.own.kept.mean), fmt::format("{:.2f}", row.tied.kept.mean)});
  return table(cells);
}

std::vector<std::string> reading_of_heads(const std::vector<HeadRow>& rows) {
  const HeadRow &none = rows[0], &waves = rows[1], &scaled = rows[2];
  const auto own = [](const HeadRow& row) { return final_loss(row.own.outcome); };
  const auto tied = [](const HeadRow& row) { return final_loss(row.tied.outcome); };
  const double factor = std::sqrt(static_cast<double>(kWidth));
  const bool worse = lie_apart(tied(waves), own(waves)) && tied(waves).mean > own(waves).mean;
  return {
      fmt::format(
          "With a head of its own the sinusoidal model ends at {:.3f}, {}; tied, at {:.3f}, {}. "
          "Scaling the tokens by sqrt({}) = {:.2f}, without any positions, moves the loss by {} "
          "where the head is tied and by {} where it is not.",
          own(waves).mean, beside(own(waves), own(none), "none"), tied(waves).mean,
          beside(tied(waves), tied(none), "none"), kWidth, factor, change(tied(none), tied(scaled)),
          change(own(none), own(scaled))),
      fmt::format(
          "{} A head multiplies the stream by a vector for each character, and tied those are the "
          "vectors that the stream began with: the character just read asks to come once more, "
          "{:.2f} times as loudly as without the factor, and the blocks have to take it out of the "
          "stream again. \"Kept\" is the cosine of the stream behind the blocks with the stream "
          "before them: {:.2f} in the sinusoidal model with a head of its own, {:.2f} in the tied "
          "one.",
          worse ? "The scaled embedding cannot serve as a head at the same time."
                : "After so many steps the tie does no harm beyond seed noise.",
          factor, waves.own.kept.mean, waves.tied.kept.mean)};
}

Figure heads_figure(const std::vector<HeadRow>& rows, const Corpus& toy) {
  const auto panel = [&](HeadRuns HeadRow::*head, const std::string& title) {
    LinePanel lines{.references = entropy_line(toy), .key = true};
    for (const HeadRow& row : rows) {
      const std::vector<RunReport>& runs = (row.*head).outcome.runs;
      Series line = over_seeds(
          row.label, runs.size(), runs[0].records.size(),
          [&](std::size_t run, std::size_t i) { return runs[run].records[i].validation_loss; });
      for (const MetricsRecord& record : runs[0].records)
        line.x.push_back(static_cast<double>(record.step));
      lines.series.push_back(std::move(line));
    }
    return Panel{.title = title,
                 .x = {.title = "step", .low = 0},
                 .y = {.title = "loss (nats per character)", .low = 0},
                 .content = std::move(lines)};
  };
  const auto ends = [&](HeadRuns HeadRow::*head) {
    std::vector<std::string> parts;
    for (const HeadRow& row : rows)
      parts.push_back(fmt::format("{} {:.3f}", row.label, final_loss((row.*head).outcome).mean));
    return fmt::format("{}", fmt::join(parts, "; "));
  };
  const std::string words = fmt::format("With a head of its own: {}. With the head tied: {}.",
                                        ends(&HeadRow::own), ends(&HeadRow::tied));
  return {.id = "lab06-heads",
          .title = "A head of its own, or the token embedding as the head",
          .caption = fmt::format("Validation loss of small models on the toy language after {} "
                                 "steps. {} {}",
                                 rows[0].own.outcome.runs[0].steps_done, words,
                                 seeds_text(rows[0].own.outcome.runs.size())),
          .alt = fmt::format("Two line charts of validation loss against step, three lines each. "
                             "{}",
                             words),
          .panels = {panel(&HeadRow::own, "a head of its own"),
                     panel(&HeadRow::tied, "the head tied to the token embedding")},
          .columns = 2};
}

}  // namespace phasor::lab06
