// Training curves of the rotation beside those of added encodings.
#include <fmt/ranges.h>

#include "labs/lab08_rope/figures.hpp"

namespace phasor::lab08 {
namespace {

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

Figure loss_figure(const std::vector<Outcome>& outcomes, const Plan& plan, const Corpus& corpus) {
  std::string floor;
  if (corpus.entropy_floor)
    floor = fmt::format(" The floor is the entropy of the text, {:.3f} nats per character.",
                        *corpus.entropy_floor);
  const std::string ends = ends_of(outcomes);
  return {.id = "lab08-loss",
          .title = "Rotation against addition, the same model on " +
                   (corpus.name == "toy" ? std::string("the toy language") : short_name(corpus)),
          .caption = fmt::format(
              "Validation loss after {} steps, on {} characters: {}. The curves are "
              "measured on the way, on some {}. {}{}",
              outcomes[0].runs[0].records.back().step, outcomes[0].evaluations[0].tokens, ends,
              plan.train.eval_tokens, seeds_text(outcomes[0].runs.size()), floor),
          .alt = fmt::format(
              "Two line charts of loss against step, training and validation, a line and a band "
              "over seeds for each of {} schemes. They end, by validation loss, at {}.{}",
              outcomes.size(), ends, floor),
          .panels = loss_panels(outcomes, corpus),
          .columns = 2};
}

}  // namespace phasor::lab08
