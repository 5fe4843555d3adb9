#include "labs/lab10_longer/reading.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "labs/common/table.hpp"

namespace phasor::lab10 {
namespace {

std::string list(const std::vector<std::string>& words) {
  return words.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(words, ", "));
}

std::size_t last_of(const LengthCurve& curve) { return curve.multiples.size() - 1; }

/// Whether two losses cannot be told apart: spreads that touch, or with one seed less than kSteady
/// between them.
bool is_tied(const Spread& x, const Spread& y, std::size_t runs) {
  return runs > 1 ? !lie_apart(x, y) : std::abs(x.mean - y.mean) <= kSteady * x.mean;
}

/// The same of the losses in the longest windows.
bool is_tied(const LengthCurve& a, const LengthCurve& b) {
  return is_tied(a.loss(last_of(a)), b.loss(last_of(b)), a.runs());
}

std::string noise_text(std::size_t runs) {
  return runs > 1
             ? fmt::format("the difference is inside the spread over {} seeds and so noise", runs)
             : fmt::format("within {:.0f} %, which one seed cannot tell from noise", 100 * kSteady);
}

/// Curves that have positions in the longest windows, from the lowest loss on.
std::vector<const LengthCurve*> by_loss(const std::vector<LengthCurve>& curves) {
  std::vector<const LengthCurve*> order;
  for (const LengthCurve& curve : curves)
    if (curve.reaches(last_of(curve))) order.push_back(&curve);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->loss(last_of(*a)).mean < b->loss(last_of(*b)).mean;
  });
  return order;
}

std::string winner(const std::vector<const LengthCurve*>& order, std::size_t length) {
  const LengthCurve& best = *order.front();
  std::vector<std::string> tied;
  for (const LengthCurve* other : order)
    if (other != &best && is_tied(best, *other)) tied.push_back(other->label);
  std::string text = fmt::format("In windows of {} characters {} reads best, at {:.3f} nats.",
                                 length, best.label, best.loss(last_of(best)).mean);
  if (!tied.empty())
    text += fmt::format(" {} cannot be told from it: {}.", list(tied), noise_text(best.runs()));
  return text;
}

/// A published row: perplexity at 512, 1012 and 2512 tokens after training at 512.
struct Published {
  const char *label, *scheme;
  double at_512, at_1012, at_2512;
};
// Press et al. (2021), table 2: WikiText-103, 247 million parameters.
constexpr Published kPress[] = {{"sinusoidal", "sinusoidal", 20.05, 43.54, 132.41},
                                {"rotary", "rope", 20.07, 21.37, 31.58},
                                {"T5's bias", "t5_bias", 19.65, 18.79, 20.41},
                                {"ALiBi", "alibi", 19.73, 18.73, 18.41}};

std::string beside_press(const Study& study) {
  std::vector<std::string> theirs, ours;
  std::vector<std::pair<double, std::string>> order;
  for (const Published& row : kPress) {
    const LengthCurve& curve = study.curve(row.scheme);
    const std::size_t last = last_of(curve);
    theirs.push_back(
        fmt::format("{} {} / {} / {}", row.label, row.at_512, row.at_1012, row.at_2512));
    ours.push_back(fmt::format("{} {:.2f} / {:.2f} / {:.2f}", row.scheme,
                               std::exp(curve.loss(0).mean), std::exp(curve.loss(1).mean),
                               std::exp(curve.loss(last).mean)));
    order.emplace_back(curve.loss(last).mean - curve.loss(0).mean, row.label);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (const auto& [increase, label] : order) names.push_back(label);
  const LengthCurve& first = study.curves[0];
  return fmt::format(
      "Published (Press et al. 2021, table 2; 247 million parameters, WikiText-103, trained on 512 "
      "tokens; perplexity at 512 / 1012 / 2512): {}. Here, perplexity of a character at {} / {} / "
      "{}: {}. From the least harmed to the most, by how many times the perplexity grows, "
      "here: {}; there: ALiBi, T5's bias, rotary, sinusoidal.",
      fmt::join(theirs, "; "), first.trained, 2 * first.trained,
      first.trained * first.multiples.back(), fmt::join(ours, "; "), fmt::join(names, ", "));
}

}  // namespace

std::string turns_table(const TrainedRotation& rotation) {
  std::vector<std::vector<std::string>> rows{
      {"pair", "turns", "as trained", "PI by 4", "NTK by 4", "YaRN by 4"}};
  const xt::xarray<double> w = inverse_frequencies(Scaling::kInterpolation, 1, rotation);
  const xt::xarray<double> pi = inverse_frequencies(Scaling::kInterpolation, 4, rotation);
  const xt::xarray<double> ntk = inverse_frequencies(Scaling::kNtk, 4, rotation);
  const xt::xarray<double> yarn = inverse_frequencies(Scaling::kYarn, 4, rotation);
  for (std::size_t c = 0; c < w.size(); ++c)
    rows.push_back({fmt::to_string(c),
                    fmt::format("{:.2f}", rotation.length * w(c) / (2 * std::numbers::pi)),
                    fmt::format("{:.5f}", w(c)), fmt::format("{:.5f}", pi(c)),
                    fmt::format("{:.5f}", ntk(c)), fmt::format("{:.5f}", yarn(c))});
  return table(rows);
}

std::string reading_of(const std::vector<LengthCurve>& curves) {
  const LengthCurve& any = curves.front();
  std::string text = winner(by_loss(curves), any.trained * any.multiples.back());
  // From those that are steady everywhere to those that are steady nowhere.
  for (std::size_t i = any.multiples.size(); i-- > 0;) {
    std::vector<std::string> here;
    for (const LengthCurve& curve : curves)
      if (curve.reaches(last_of(curve)) && steady_to(curve) == any.multiples[i])
        here.push_back(i == last_of(any) ? curve.label
                                         : fmt::format("{} ({:+.0f} % at {})", curve.label,
                                                       100 * curve.rise(last_of(curve)).mean,
                                                       curve.trained * curve.multiples.back()));
    if (here.empty()) continue;
    text += i == 0 ? fmt::format(" Worse as soon as the window is longer than in training: {}.",
                                 list(here))
                   : fmt::format(" Steady up to {} characters: {}.", any.trained * any.multiples[i],
                                 list(here));
  }
  for (const LengthCurve& curve : curves)
    if (!curve.reaches(last_of(curve)))
      text += fmt::format(" {} has no positions beyond {}.", curve.label, curve.trained);
  if (any.runs() == 1) text += " This is one seed: --full trains three and gives their spread.";
  return text;
}

std::string reading_of_scalings(const std::vector<LengthCurve>& scalings) {
  const std::vector<const LengthCurve*> order = by_loss(scalings);
  const LengthCurve &plain = scalings.front(), &best = *order.front();
  const std::size_t last = last_of(plain), length = plain.trained * plain.multiples[last];
  std::vector<std::string> better, worse;
  for (std::size_t n = 1; n < scalings.size(); ++n) {
    if (is_tied(plain, scalings[n])) continue;
    (scalings[n].loss(last).mean < plain.loss(last).mean ? better : worse)
        .push_back(scalings[n].label);
  }
  return fmt::format(
      "At {} characters the rotation as it was trained has a loss of {:.3f} ({:+.0f} %). Better "
      "than that: {}; worse: {}; the others cannot be told from it. The best, {}, is steady to {} "
      "characters.",
      length, plain.loss(last).mean, 100 * plain.rise(last).mean, list(better), list(worse),
      best.label == "none" ? "no scaling" : best.label, steady_to(best) * best.trained);
}

std::string reading_of_ramps(const Study& study) {
  const Spread &right = study.ramps[0].alone, &wrong = study.ramps[1].alone;
  const bool noise = is_tied(right, wrong, study.scalings[0].runs());
  return fmt::format(
      "Your frequencies are the first line without the factor; yarn in the table above is the last "
      "one with it. The ramp in radians is a mistake, and in use its frequencies {} ({:.3f} "
      "against {:.3f}): a loss proves no formula, the checks above do.",
      noise                     ? "cannot be told from the right ones"
      : wrong.mean < right.mean ? "read better than the right ones"
                                : "read worse than the right ones",
      wrong.mean, right.mean);
}

std::string reading_of_tuning(const Study& study) {
  const Tuned &plain = study.tuned.front(), *best = &plain;
  for (const Tuned& one : study.tuned)
    if (one.after.mean < best->after.mean) best = &one;
  const LengthCurve& rope = study.scalings.front();
  const double rise = best->after.mean / rope.loss(0).mean - 1;
  const bool noise = rope.runs() > 1 ? !lie_apart(best->after, plain.after)
                                     : best->after.mean > (1 - kSteady) * plain.after.mean;
  return fmt::format(
      "{} ends lowest, {:+.0f} % against the loss in windows of {}{}. {}", best->kind, 100 * rise,
      rope.trained, rise <= kSteady ? ", and so steady" : "",
      best == &plain ? std::string("No scaling does better than training alone.")
      : noise ? fmt::format("Training without any scaling ends at {:.3f}: {}.", plain.after.mean,
                            noise_text(rope.runs()))
              : fmt::format("Training without any scaling only gets to {:.3f}: the scaling is of "
                            "use.",
                            plain.after.mean));
}

std::vector<std::string> published(const Study& study) {
  std::vector<std::string> scalings;
  for (const LengthCurve& curve : study.scalings)
    scalings.push_back(fmt::format("{} {:.2f} / {:.2f}", curve.label, curve.loss(2).mean,
                                   curve.loss(last_of(curve)).mean));
  std::vector<std::string> tuned;
  for (const Tuned& one : study.tuned)
    tuned.push_back(fmt::format("{} {:.2f}", one.kind, one.after.mean));
  return {
      beside_press(study),
      fmt::format("Published: position interpolation takes LLaMA-7B at 8192 tokens from a "
                  "perplexity of 16.10 to 7.12 with 200 steps of training (Chen et al. 2023); "
                  "YaRN's table 1 has, at 8192 / 10240 tokens, PI 3.34 / 8.07, NTK 3.59 / 6.24 and "
                  "YaRN 3.35 / 6.04 (Peng et al. 2023). Here, loss at 4 and at 8 times the length "
                  "without training again: {}; at 4 times after {} steps: {}.",
                  fmt::join(scalings, ", "), study.tuning_steps, fmt::join(tuned, ", ")),
      "What a model of this size can show: whether a scheme breaks at positions and distances it "
      "has never seen. What it cannot show: whether a scheme makes use of distant text, for a "
      "story of the toy language is over after some sixty characters and nothing before it helps; "
      "nor how large models behave, whose heads are wider and turn some pairs hundreds of times "
      "within a window."};
}

}  // namespace phasor::lab10
