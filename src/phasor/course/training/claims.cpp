#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phasor/course/runs.hpp"
#include "phasor/course/topics.hpp"
#include "phasor/course/training/measures.hpp"

namespace phasor {
namespace {

namespace fs = std::filesystem;

fs::path runs_of(const Evidence& evidence) { return evidence.folder_of("lab06") / "runs"; }

/// "2.10, 1.80" of the rows.
std::string listed(const Ablation& ablation, Spread AblationRow::*what) {
  std::vector<std::string> losses;
  for (const AblationRow& row : ablation.rows)
    losses.push_back(fmt::format("{:.2f}", (row.*what).mean));
  return fmt::format("{}", fmt::join(losses, ", "));
}

Finding remove_it(const Evidence& evidence) {
  const fs::path runs = runs_of(evidence);
  const Ablation causal = measure_ablation(runs, true, kRemoved);
  const Ablation unmasked = measure_ablation(runs, false, kRemoved);
  if (causal.rows.empty() || unmasked.rows.empty())
    return not_measured(runs / (ablation_name(true, kRemoved, 1) + "-1"), "lab06");
  const bool causal_breaks = breaks(causal), unmasked_breaks = breaks(unmasked);
  const auto words = [](const Ablation& ablation) {
    return fmt::format("{} with {}, {} trained without, {} with it taken away after training",
                       listed(ablation, &AblationRow::with), ablation.scheme,
                       listed(ablation, &AblationRow::without),
                       listed(ablation, &AblationRow::taken_away));
  };
  const Verdict verdict = unmasked_breaks && causal_breaks   ? Verdict::kHolds
                          : unmasked_breaks || causal_breaks ? Verdict::kHoldsIf
                                                             : Verdict::kFails;
  const std::string condition =
      verdict != Verdict::kHoldsIf ? "In nats per character"
      : unmasked_breaks ? "Only if attention sees both sides, or the encoding goes after training: "
                          "in nats per character"
                        : "Only if attention is causal: in nats per character";
  std::vector<std::size_t> depths;
  for (const AblationRow& row : causal.rows) depths.push_back(row.layers);
  return {verdict,
          fmt::format("{}, with {} layers: causal {}; unmasked {}; knowing how often characters "
                      "occur costs {:.2f}; {}.",
                      condition, fmt::join(depths, ", "), words(causal), words(unmasked),
                      causal.blind, seeds_of(causal.seeds)),
          {{"causal with", causal.rows.back().with.mean},
           {"causal without", causal.rows.back().without.mean},
           {"causal taken away", causal.rows.back().taken_away.mean},
           {"unmasked with", unmasked.rows.back().with.mean},
           {"unmasked without", unmasked.rows.back().without.mean},
           {"frequencies", causal.blind}}};
}

Finding learned_is_better(const Evidence& evidence) {
  const fs::path runs = runs_of(evidence);
  const auto learned = loss_of_runs(runs, rival_name("learned"));
  const auto fixed = loss_of_runs(runs, rival_name("sinusoidal"));
  if (!learned || !fixed) return not_measured(runs / (rival_name("learned") + "-1"), "lab06");
  const auto folders = runs_named(runs, rival_name("learned"));
  const std::size_t steps = load_run_config(folders.front()).train.steps;
  const bool apart = lie_apart(*learned, *fixed);
  const bool better = apart && learned->mean < fixed->mean;
  const std::string conclusion =
      !apart   ? "inside the spread over seeds: no difference beyond seed noise"
      : better ? "the spreads do not overlap"
               : "the other way round, and the spreads do not overlap";
  return {
      better ? Verdict::kHolds : Verdict::kFails,
      fmt::format("Small models on the toy language after {} steps, {}: learned {}, "
                  "sinusoidal {}; {}. Published at scale: 25.7 against 25.8 BLEU (Vaswani et "
                  "al. 2017) and perplexity 20.42 against 20.16 (Haviv et al. 2022), both a "
                  "little worse for learned.",
                  steps, seeds_of(folders.size()), text_of(*learned), text_of(*fixed), conclusion),
      {{"learned", learned->mean},
       {"sinusoidal", fixed->mean},
       {"steps", static_cast<double>(steps)}}};
}

Finding position_is_readable(const Evidence& evidence) {
  const fs::path runs = runs_of(evidence);
  const auto probe = probe_runs(runs, "sinusoidal"), none = probe_runs(runs, "none");
  if (!probe || !none) return not_measured(runs / "toy-sinusoidal-1", "lab06");
  const double crowded = probe_of_random_tokens(evidence.encode(64, 64, 10000), 1);
  // Half of what guessing costs is more than chance: shuffled positions stay at the guess.
  const bool reads = probe->error.front() < probe->guess / 2 && crowded < probe->guess / 2;
  return {reads ? Verdict::kHolds : Verdict::kFails,
          fmt::format("A least-squares fit reads the position of unseen text from the sum of token "
                      "and encoding of a trained model with a mean error of {:.1f} positions, and "
                      "of {:.1f} behind the blocks; guessing is off by {:.1f}, a fit to shuffled "
                      "positions by {:.1f}. Few characters leave it room; with {} random token "
                      "vectors as long as the encoding the error is {:.1f}. Without an encoding: "
                      "{:.1f} at the input, {:.1f} behind the blocks, where the causal mask has "
                      "left its trace.",
                      probe->error.front(),
                      fmt::join(probe->error.begin() + 1, probe->error.end(), ", "), probe->guess,
                      probe->shuffled.front(), kRandomTokens, crowded, none->error.front(),
                      fmt::join(none->error.begin() + 1, none->error.end(), ", ")),
          {{"error", probe->error.front()},
           {"last", probe->error.back()},
           {"guess", probe->guess},
           {"shuffled", probe->shuffled.front()},
           {"random tokens", crowded},
           {"none", none->error.front()}}};
}

Finding position_is_distorted(const Evidence& evidence) {
  const fs::path runs = runs_of(evidence);
  const auto probe = probe_runs(runs, "sinusoidal");
  if (!probe) return not_measured(runs / "toy-sinusoidal-1", "lab06");
  const double first = probe->error.front(), last = probe->error.back();
  return {last > 1.1 * first ? Verdict::kHolds : Verdict::kFails,
          fmt::format("A linear map reads the position with an error of {:.1f} positions where it "
                      "is added, and of {:.1f} behind the blocks (guessing: {:.1f}).",
                      first, fmt::join(probe->error.begin() + 1, probe->error.end(), ", "),
                      probe->guess),
          {{"first", first}, {"last", last}}};
}

Finding bounded_is_quiet(const Evidence& evidence) {
  constexpr std::size_t kWidth = 64, kPositions = 512;
  const xt::xarray<double> encoding = evidence.encode(kPositions, kWidth, 10000);
  double most = 0;
  for (const double value : encoding) most = std::max(most, std::abs(value));
  const Loudness plain = loudness_at_start(encoding, 1, 1);
  const Loudness scaled = loudness_at_start(encoding, std::sqrt(double{kWidth}), 1);
  const bool overwhelms = plain.ratio() > 1;
  return {most <= 1 && !overwhelms ? Verdict::kHolds : Verdict::kFails,
          fmt::format("No value exceeds {:.3g}, yet token vectors start smaller still: drawn with "
                      "deviation {}, as GPT-2 does, they are {:.3f} against the encoding's {:.3f} "
                      "(root mean squares), so the encoding is {:.1f} times larger, and with the "
                      "factor sqrt(d) of the first transformer still {:.1f} times at width {}.",
                      most, kInitialDeviation, plain.token, plain.position, plain.ratio(),
                      scaled.ratio(), kWidth),
          {{"largest", most}, {"ratio", plain.ratio()}, {"ratio with factor", scaled.ratio()}}};
}

/// Loss of the sinusoidal model when its encoding is made with another base than in training.
double loss_with_base(const fs::path& folder, double base) {
  const Run run = load_run(folder, {{"base", fmt::format("{}", base)}});
  return next_loss(*run.model, validation_of(run.config, kMeasuredTokens));
}

Finding changed_encoding(const Evidence& evidence) {
  const auto folders = runs_named(runs_of(evidence), "toy-sinusoidal");
  if (folders.empty()) return not_measured(runs_of(evidence) / "toy-sinusoidal-1", "lab06");
  const double trained = loss_with_base(folders.front(), 10000);
  const double near = loss_with_base(folders.front(), 9000);
  const double far = loss_with_base(folders.front(), 100);
  const Run run = load_run(folders.front());
  const double bare =
      next_loss(*without_positions(run), validation_of(run.config, kMeasuredTokens));
  return {
      far > trained + 0.1 && bare > trained + 0.1 ? Verdict::kHolds : Verdict::kFails,
      fmt::format("A model trained with base 10000 has a loss of {:.3f} nats; with base 9000 in "
                  "its place {:.3f}, with base 100 {:.2f}, and with no encoding {:.2f}.",
                  trained, near, far, bare),
      {{"trained", trained}, {"base 9000", near}, {"base 100", far}, {"none", bare}}};
}

Claim claim(std::string id, std::string document, std::string statement, std::string figure,
            std::function<Finding(const Evidence&)> measure) {
  return {.id = std::move(id),
          .document = std::move(document),
          .statement = std::move(statement),
          .lab = "lab06",
          .figure = std::move(figure),
          .measure = std::move(measure)};
}

}  // namespace

std::vector<Claim> training_claims() {
  return {
      claim("D2-remove-it", "D2", "A model from which positional encoding is removed breaks.",
            "lab06-ablation", remove_it),
      claim("D1-learned-better", "D1", "Learned positions do slightly better than sinusoidal ones.",
            "lab06-rivals", learned_is_better),
      claim(
          "D2-readable", "D2",
          "Learned linear projections can read the position out of the sum of token and encoding.",
          "lab06-probe", position_is_readable),
      claim("D2-distorted", "D2",
            "Position that is added at the input is distorted on its way through the layers.",
            "lab06-probe", position_is_distorted),
      claim("D0-bounded-is-quiet", "D0",
            "Since its values are bounded, the encoding cannot overwhelm the token embeddings.",
            "lab06-loss-toy", bounded_is_quiet),
      claim("D2-changed-encoding", "D2",
            "Exchanging the encodings of a model that is trained already, or taking them away, "
            "changes how well it does.",
            "lab06-ablation", changed_encoding)};
}

}  // namespace phasor
