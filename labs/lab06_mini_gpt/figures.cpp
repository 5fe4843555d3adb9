#include "labs/lab06_mini_gpt/figures.hpp"

#include <algorithm>
#include <cmath>

namespace phasor::lab06 {
namespace {

std::string title_of(const Corpus& corpus) {
  if (corpus.name == "toy") return "the toy language";
  if (corpus.name == "kjv") return "the King James Bible";
  return short_name(corpus);
}

/// The entropy of the text as a line under the losses, where it is known.
std::vector<Reference> floor_of(const Corpus& corpus) {
  if (!corpus.entropy_floor) return {};
  return {{fmt::format("entropy {:.3f}", *corpus.entropy_floor), *corpus.entropy_floor}};
}

/// over_seeds of labs/common/training.hpp for the runs of one outcome.
template <class Value>
Series over_seeds(const Outcome& outcome, std::size_t count, Value value) {
  return phasor::over_seeds(outcome.scheme, outcome.runs.size(), count, value);
}

std::vector<double> steps_of(const Outcome& outcome, std::size_t first) {
  std::vector<double> steps;
  for (std::size_t i = first; i < outcome.runs[0].records.size(); ++i)
    steps.push_back(static_cast<double>(outcome.runs[0].records[i].step));
  return steps;
}

/// The highest value drawn.
double highest(const LinePanel& panel) {
  double most = 0;
  for (const Series& series : panel.series)
    for (const auto* values : {&series.y, &series.high})
      for (const double value : *values) most = std::fmax(most, value);  // a NaN leaves it
  return most;
}

/// "rope 1.10, alibi 1.13, ..." from the lowest loss to the highest.
std::string ranking(const std::vector<Outcome>& outcomes) {
  std::vector<std::pair<double, std::string>> order;
  for (const Outcome& outcome : outcomes)
    order.emplace_back(final_loss(outcome).mean, outcome.scheme);
  std::sort(order.begin(), order.end());
  std::vector<std::string> parts;
  for (const auto& [loss, scheme] : order) parts.push_back(fmt::format("{} {:.3f}", scheme, loss));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Figure loss_figure(const std::vector<Outcome>& outcomes, const Corpus& corpus) {
  LinePanel train, validation;
  for (const Outcome& outcome : outcomes) {
    const std::size_t records = outcome.runs[0].records.size();
    // There is no training loss before the first step.
    train.series.push_back(over_seeds(outcome, records - 1, [&](std::size_t run, std::size_t i) {
      return outcome.runs[run].records[i + 1].train_loss.value_or(NAN);
    }));
    train.series.back().x = steps_of(outcome, 1);
    validation.series.push_back(over_seeds(outcome, records, [&](std::size_t run, std::size_t i) {
      return outcome.runs[run].records[i].validation_loss;
    }));
    validation.series.back().x = steps_of(outcome, 0);
  }
  train.references = validation.references = floor_of(corpus);
  std::string floor_text;
  if (corpus.entropy_floor) {
    floor_text = fmt::format(
        " No model can go below the entropy of the text, {:.3f} nats per character, over a long "
        "text; one that starts inside a story has to stay a little above it.",
        *corpus.entropy_floor);
  }
  train.key = validation.key = true;
  const std::string name = short_name(corpus);
  const std::string best = ranking(outcomes);
  const Axis steps{.title = "step", .low = 0};
  const Axis loss{.title = "loss (nats per character)",
                  .low = 0,
                  .high = 1.05 * std::max(highest(train), highest(validation))};
  return {
      .id = "lab06-loss-" + name,
      .title = fmt::format("The same model with five positional schemes, trained on {}",
                           title_of(corpus)),
      .caption = fmt::format("Validation loss after training: {}. {}{}", best,
                             seeds_text(outcomes[0].runs.size()), floor_text),
      .alt = fmt::format(
          "Two line charts of loss against step, training and validation, one line for each of {} "
          "schemes. All fall steeply at first. They end, by validation loss, at {}.{}",
          outcomes.size(), best,
          corpus.entropy_floor
              ? fmt::format(" A horizontal line marks the entropy, {:.3f}.", *corpus.entropy_floor)
              : ""),
      .panels = {{.title = "training", .x = steps, .y = loss, .content = train},
                 {.title = "validation", .x = steps, .y = loss, .content = validation}},
      .columns = 2};
}

Figure position_figure(const std::vector<Outcome>& outcomes, const Corpus& corpus) {
  LinePanel panel;
  for (const Outcome& outcome : outcomes)
    panel.series.push_back(over_seeds(
        outcome, outcome.evaluations[0].by_position.size(),
        [&](std::size_t run, std::size_t t) { return outcome.evaluations[run].by_position[t]; }));
  panel.key = true;
  panel.references = floor_of(corpus);
  const std::string name = short_name(corpus);
  const auto at = [&](std::size_t t) {
    double least = INFINITY, most = 0;
    for (const Series& series : panel.series) {
      least = std::min(least, series.y[t]);
      most = std::max(most, series.y[t]);
    }
    return fmt::format("{:.2f} to {:.2f}", least, most);
  };
  const std::size_t last = panel.series[0].y.size() - 1;
  const std::string numbers =
      fmt::format("{} nats at position 0, with one character seen, and {} at position {}", at(0),
                  at(last), last);
  return {.id = "lab06-position-" + name,
          .title = fmt::format("Loss at each place of the window, on {}", title_of(corpus)),
          .caption = fmt::format(
              "What a character costs depends on how much text the model has seen before it: {}. "
              "{}",
              numbers, seeds_text(outcomes[0].runs.size())),
          .alt = fmt::format("Line chart of validation loss against position in the window, one "
                             "line for each of {} schemes: {}.",
                             outcomes.size(), numbers),
          .panels = {{.title = "",
                      .x = {.title = "position in the window (characters)"},
                      .y = {.title = "loss (nats per character)"},
                      .content = panel}}};
}

}  // namespace phasor::lab06
