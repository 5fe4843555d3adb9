// Training curves of the rotation beside those of added encodings.
#include <fmt/ranges.h>

#include <cmath>

#include "labs/lab08_rope/figures.hpp"

namespace phasor::lab08 {
namespace {

std::vector<double> steps_of(const RunReport& run, std::size_t first) {
  std::vector<double> steps;
  for (std::size_t i = first; i < run.records.size(); ++i)
    steps.push_back(static_cast<double>(run.records[i].step));
  return steps;
}

double highest(const LinePanel& panel) {
  double most = 0;
  for (const Series& series : panel.series)
    for (const auto* values : {&series.y, &series.high})
      for (const double value : *values) most = std::fmax(most, value);  // a NaN leaves it
  return most;
}

std::string ends_of(const std::vector<Outcome>& outcomes) {
  std::vector<std::string> parts;
  for (const Outcome& outcome : outcomes) {
    const Spread loss = final_loss(outcome);
    parts.push_back(fmt::format("{} {:.3f} ({:.3f} to {:.3f})", outcome.scheme, loss.mean,
                                loss.least, loss.most));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Figure loss_figure(const std::vector<Outcome>& outcomes, const Corpus& corpus) {
  LinePanel train{.key = true}, validation{.key = true};
  for (const Outcome& outcome : outcomes) {
    const std::size_t seeds = outcome.runs.size(), records = outcome.runs[0].records.size();
    // There is no training loss before the first step.
    train.series.push_back(
        over_seeds(outcome.scheme, seeds, records - 1, [&](std::size_t run, std::size_t i) {
          return outcome.runs[run].records[i + 1].train_loss.value_or(NAN);
        }));
    train.series.back().x = steps_of(outcome.runs[0], 1);
    validation.series.push_back(
        over_seeds(outcome.scheme, seeds, records, [&](std::size_t run, std::size_t i) {
          return outcome.runs[run].records[i].validation_loss;
        }));
    validation.series.back().x = steps_of(outcome.runs[0], 0);
  }
  std::string floor;
  if (corpus.entropy_floor) {
    train.references = {
        {fmt::format("entropy {:.3f}", *corpus.entropy_floor), *corpus.entropy_floor}};
    validation.references = train.references;
    floor = fmt::format(" The floor is the entropy of the text, {:.3f} nats per character.",
                        *corpus.entropy_floor);
  }
  const std::string ends = ends_of(outcomes);
  const Axis steps{.title = "step", .low = 0};
  const Axis loss{.title = "loss (nats per character)",
                  .low = 0,
                  .high = 1.05 * std::max(highest(train), highest(validation))};
  return {.id = "lab08-loss",
          .title = "Rotation against addition, the same model on " +
                   (corpus.name == "toy" ? std::string("the toy language") : short_name(corpus)),
          .caption = fmt::format("Validation loss after {} steps: {}. {}{}",
                                 outcomes[0].runs[0].records.back().step, ends,
                                 seeds_text(outcomes[0].runs.size()), floor),
          .alt = fmt::format(
              "Two line charts of loss against step, training and validation, a line and a band "
              "over seeds for each of {} schemes. They end, by validation loss, at {}.{}",
              outcomes.size(), ends, floor),
          .panels = {{.title = "training", .x = steps, .y = loss, .content = train},
                     {.title = "validation", .x = steps, .y = loss, .content = validation}},
          .columns = 2};
}

}  // namespace phasor::lab08
