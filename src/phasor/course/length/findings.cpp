#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "phasor/course/length/claims.hpp"

namespace phasor {
namespace {

std::size_t last_of(const LengthCurve& curve) { return curve.multiples.size() - 1; }

/// "rise 2" and so on, for the numbers of a finding.
std::vector<std::pair<std::string, double>> rises_of(const LengthCurve& curve,
                                                     const std::string& prefix = "") {
  std::vector<std::pair<std::string, double>> numbers;
  for (std::size_t i = 1; i < curve.multiples.size(); ++i)
    if (curve.reaches(i))
      numbers.emplace_back(fmt::format("{}rise {}", prefix, curve.multiples[i]),
                           curve.rise(i).mean);
  return numbers;
}

bool reaches_all(const LengthCurve& curve) { return curve.reaches(last_of(curve)); }

/// Whether a is below b and the gap is more than noise: spreads that lie apart, or with one run a
/// gap of more than kSteady of the smaller.
bool is_below(const Spread& a, const Spread& b, std::size_t runs, double noise) {
  return runs > 1 ? a.most < b.least : a.mean < b.mean - noise;
}

/// "0.511 at 64, 0.616 (+0.105) at 128": the increases are nats.
std::string nats_of(const LengthCurve& curve) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < curve.multiples.size(); ++i) {
    const double loss = curve.loss(i).mean;
    parts.push_back(fmt::format("{:.3f}{} at {}", loss,
                                i == 0 ? "" : fmt::format(" ({:+.3f})", loss - curve.loss(0).mean),
                                curve.multiples[i] * curve.trained));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Finding reach_of_formula(const LengthCurve& curve) {
  const std::string losses = fmt::format("loss {}, {}", text_of(curve), seeds_of(curve.runs()));
  const auto numbers = rises_of(curve);
  if (!reaches_all(curve)) return {Verdict::kFails, sentence(losses), numbers};
  if (steady_to(curve) == curve.multiples.back())
    return {Verdict::kHolds, sentence(losses), numbers};
  return {Verdict::kHoldsIf,
          sentence(fmt::format(
              "Only if it means no more than a vector for every position: the formula gives one "
              "for each of {}, and a model trained on {} does not know what to do with them, as D0 "
              "warns: {}",
              curve.multiples.back() * curve.trained, curve.trained, losses)),
          numbers};
}

Finding end_of_table(std::size_t trained, std::size_t refused_at) {
  return {
      refused_at == trained + 1 ? Verdict::kHolds : Verdict::kFails,
      refused_at == 0
          ? fmt::format("Trained on {} tokens, the table reads longer windows too.", trained)
          : fmt::format("Trained on {} tokens, the table refuses a window of {}: it has no row for "
                        "position {}.",
                        trained, refused_at, refused_at - 1),
      {{"trained", static_cast<double>(trained)}, {"refused at", static_cast<double>(refused_at)}}};
}

Finding unseen_lengths(std::size_t trained, std::size_t refused_at, const LengthCurve& sinusoidal) {
  const Finding end = end_of_table(trained, refused_at);
  const bool steady = reaches_all(sinusoidal) && steady_to(sinusoidal) > 1;
  const bool differ = end.verdict == Verdict::kHolds && reaches_all(sinusoidal);
  auto numbers = rises_of(sinusoidal);
  numbers.insert(numbers.end(), end.numbers.begin(), end.numbers.end());
  const std::string seen =
      fmt::format("{} With sinusoidal vectors the loss is {}, {}.", end.measured,
                  ends_of(sinusoidal), seeds_of(sinusoidal.runs()));
  if (!differ) return {Verdict::kFails, seen, numbers};
  if (steady) return {Verdict::kHolds, seen, numbers};
  return {Verdict::kHoldsIf,
          fmt::format("Only if to carry over means to be accepted: one refuses, the other reads on "
                      "and gets worse. {}",
                      seen),
          numbers};
}

Finding steadiness(const LengthCurve& curve) {
  const std::size_t steady = steady_to(curve);
  const std::string losses = fmt::format("loss {}, {}", text_of(curve), seeds_of(curve.runs()));
  if (steady == curve.multiples.back()) return {Verdict::kHolds, sentence(losses), rises_of(curve)};
  if (steady == 1) return {Verdict::kFails, sentence(losses), rises_of(curve)};
  return {Verdict::kHoldsIf,
          sentence(fmt::format("Only up to {} times the training length: {}", steady, losses)),
          rises_of(curve)};
}

Finding carries_over_better(const LengthCurve& better, const LengthCurve& worse) {
  const std::size_t runs = std::min(better.runs(), worse.runs()), count = better.multiples.size();
  std::vector<std::string> lower, less;
  auto numbers = rises_of(better, "better ");
  for (const auto& number : rises_of(worse, "worse ")) numbers.push_back(number);
  for (std::size_t i = 1; i < count; ++i) {
    const Spread a = better.loss(i), b = worse.loss(i);
    const std::string length = fmt::to_string(better.multiples[i] * better.trained);
    const double increase = a.mean - better.loss(0).mean, other = b.mean - worse.loss(0).mean;
    if (is_below(a, b, runs, kSteady * a.mean)) lower.push_back(length);
    if (increase < other) less.push_back(length);
    numbers.emplace_back(fmt::format("better loss {}", better.multiples[i]), a.mean);
    numbers.emplace_back(fmt::format("worse loss {}", better.multiples[i]), b.mean);
  }
  const std::string seen =
      fmt::format("loss in nats of {} {}; of {} {}; {}", better.label, nats_of(better), worse.label,
                  nats_of(worse), seeds_of(runs));
  if (lower.empty()) return {Verdict::kFails, sentence(seen), numbers};
  if (lower.size() + 1 == count && less.size() + 1 == count)
    return {Verdict::kHolds, sentence(seen), numbers};
  return {Verdict::kHoldsIf,
          sentence(fmt::format(
              "Only if one asks for the lower loss, at {} characters: what is added to the loss of "
              "the training length, in nats, is less {}. The {}",
              fmt::join(lower, " and "),
              less.empty() ? std::string("at none of the lengths")
                           : fmt::format("at {} alone", fmt::join(less, " and ")),
              seen)),
          numbers};
}

namespace {

/// What a short training at the longer length does, with and without a scaling.
struct Tuning {
  double without, with;  ///< least loss with a scaling
  bool scaling_helps = false;
  std::vector<std::string> words = {};
};
Tuning tuning_of(const std::vector<LengthCurve>& tuned) {
  const Spread without = tuned.front().loss(0);
  Tuning tuning{without.mean, INFINITY};
  for (std::size_t n = 0; n < tuned.size(); ++n) {
    const Spread loss = tuned[n].loss(0);
    tuning.words.push_back(fmt::format("{} {:.3f}", tuned[n].label, loss.mean));
    if (n == 0) continue;
    tuning.with = std::min(tuning.with, loss.mean);
    tuning.scaling_helps |= is_below(loss, without, tuned[n].runs(), kSteady * loss.mean);
  }
  return tuning;
}

/// Of scalings that reach `reached` times the length as they are.
std::pair<Verdict, std::string> verdict_on_scaling(std::size_t reached, const Tuning& tuning,
                                                   double trained) {
  const double steady = (1 + kSteady) * trained;
  if (reached >= 8) return {Verdict::kHolds, ""};
  if (reached >= 4) return {Verdict::kHoldsIf, fmt::format("Only up to {} times: ", reached)};
  if (tuning.scaling_helps && tuning.with <= steady)
    return {Verdict::kHoldsIf, "Only if the model is trained a little at the longer length: "};
  return {Verdict::kFails,
          fmt::format("No scaling is steady {}, and with a short training none {}: ",
                      reached > 1 ? "up to four times the length" : "beyond the training length",
                      tuning.scaling_helps ? "gets back to the loss at that length"
                      : tuning.without <= steady
                          ? "is better than no scaling beyond noise, so that the training does it "
                            "and not the scaling"
                          : "is better than no scaling beyond noise")};
}

}  // namespace

Finding reach_of_scaling(const LengthCurve& plain, const std::vector<LengthCurve>& scaled,
                         const std::vector<LengthCurve>& tuned) {
  std::size_t reached = 1;
  std::vector<std::string> parts{fmt::format("{} {}", plain.label, text_of(plain, {1, 4, 8}))};
  std::vector<std::pair<std::string, double>> numbers = rises_of(plain, "plain ");
  for (const LengthCurve& curve : scaled) {
    reached = std::max(reached, steady_to(curve));
    parts.push_back(fmt::format("{} {}", curve.label, text_of(curve, {4, 8})));
    for (const auto& number : rises_of(curve, curve.label + " ")) numbers.push_back(number);
  }
  const Tuning tuning = tuning_of(tuned);
  for (const LengthCurve& curve : tuned)
    numbers.emplace_back("tuned " + curve.label, curve.loss(0).mean);
  const double trained = plain.loss(0).mean;
  numbers.emplace_back("tuned rise", tuning.with / trained - 1);
  const auto [verdict, condition] = verdict_on_scaling(reached, tuning, trained);
  return {verdict,
          sentence(fmt::format(
              "{}loss without further training, {}; after a short training at {} characters, the "
              "one longer length that is trained, {}; {}",
              condition, fmt::join(parts, "; "), 4 * plain.trained, fmt::join(tuning.words, ", "),
              seeds_of(plain.runs()))),
          numbers};
}

Finding best_at_the_end(const LengthCurve& chosen, const std::vector<LengthCurve>& others) {
  const std::size_t end = last_of(chosen);
  std::vector<std::string> parts{fmt::format("{} {}", chosen.label, text_of(chosen.loss(end)))};
  std::vector<std::pair<std::string, double>> numbers{{chosen.label, chosen.loss(end).mean}};
  std::size_t below = 0, tied = 0;
  for (const LengthCurve& other : others) {
    if (!other.reaches(end)) continue;
    const Spread a = chosen.loss(end), b = other.loss(end);
    const std::size_t runs = std::min(chosen.runs(), other.runs());
    const bool is_better = is_below(b, a, runs, kSteady * a.mean);
    below += is_better;
    tied += !is_better && !is_below(a, b, runs, kSteady * a.mean);
    parts.push_back(fmt::format("{} {}", other.label, text_of(b)));
    numbers.emplace_back(other.label, b.mean);
  }
  const std::string seen =
      fmt::format("loss in windows of {} tokens: {}, {}", chosen.multiples[end] * chosen.trained,
                  fmt::join(parts, ", "), seeds_of(chosen.runs()));
  if (below > 0)
    return {Verdict::kFails,
            sentence(fmt::format("{} of {} others end lower: {}", below, others.size(), seen)),
            numbers};
  if (tied > 0)
    return {Verdict::kHoldsIf,
            sentence(fmt::format("Only if a tie will do: {} of {} others are inside the noise: {}",
                                 tied, others.size(), seen)),
            numbers};
  return {Verdict::kHolds, sentence(seen), numbers};
}

Finding stability(const std::vector<double>& norms, const LengthCurve& curve) {
  const Spread norm = spread_of(norms);
  // Sums of squares of sines and cosines of angles up to 10^4: a few units of the last place each.
  const bool constant = norm.width() <= 1e-9 * norm.mean;
  const std::string seen = fmt::format(
      "the norm of the encoding's vectors lies between {:.6f} and {:.6f} over {} positions; the "
      "loss of a trained model is {}, {}",
      norm.least, norm.most, norms.size(), ends_of(curve), seeds_of(curve.runs()));
  auto numbers = rises_of(curve);
  numbers.emplace_back("norm width", norm.width());
  if (!constant) return {Verdict::kFails, sentence(seen), numbers};
  if (steady_to(curve) == curve.multiples.back()) return {Verdict::kHolds, sentence(seen), numbers};
  return {Verdict::kHoldsIf,
          sentence(fmt::format(
              "Only if it is said of the vectors and not of the model that reads them: {}", seen)),
          numbers};
}

}  // namespace phasor
