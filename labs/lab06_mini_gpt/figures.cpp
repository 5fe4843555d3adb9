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
  std::string floor_text;
  if (corpus.entropy_floor) {
    floor_text = fmt::format(
        " No model can go below the entropy of the text, {:.3f} nats per character, over a long "
        "text; one that starts inside a story has to stay a little above it.",
        *corpus.entropy_floor);
  }
  const std::string name = short_name(corpus);
  const std::string best = ranking(outcomes);
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
      .panels = loss_panels(outcomes, corpus),
      .columns = 2};
}

Figure position_figure(const std::vector<Outcome>& outcomes, const Corpus& corpus) {
  LinePanel panel;
  for (const Outcome& outcome : outcomes)
    panel.series.push_back(over_seeds(
        outcome.scheme, outcome.runs.size(), outcome.evaluations[0].by_position.size(),
        [&](std::size_t run, std::size_t t) { return outcome.evaluations[run].by_position[t]; }));
  panel.key = true;
  panel.references = entropy_line(corpus);
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
