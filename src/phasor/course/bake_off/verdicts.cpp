#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "phasor/course/bake_off/claims.hpp"
#include "phasor/course/runs.hpp"

namespace phasor {
namespace {

bool lower(const Spread& a, const Spread& b) { return lie_apart(a, b) && a.mean < b.mean; }

/// What a difference is worth.
std::string_view against_noise(const Spread& a, const Spread& b) {
  if (a.width() == 0 && b.width() == 0) return "one seed says nothing of noise";
  return lie_apart(a, b) ? "more than seeds alone make" : "no difference beyond seed noise";
}

std::string named(const SchemeNumber& number) {
  return fmt::format("{} {}", number.scheme, text_of(number.spread));
}

std::string all_named(const std::vector<SchemeNumber>& numbers) {
  std::vector<std::string> parts;
  for (const SchemeNumber& number : numbers) parts.push_back(named(number));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Losses of waves that are added and of waves beside the token, and how early that is.
std::string both_ways(const Headway& headway, const Spread& beside) {
  const std::string early =
      headway.is_underway()
          ? std::string()
          : fmt::format(
                ". This is early in training: with sinusoidal vectors a model does no better yet "
                "than one without positions, {}; labs/run 12 --full trains longer",
                text_of(headway.none));
  return fmt::format(
      "{} a character costs {} nats where the encoding is added to all columns of the token, and "
      "{} where each has half of the columns: {}{}",
      headway.budget, text_of(headway.sinusoidal), text_of(beside),
      against_noise(headway.sinusoidal, beside), early);
}

/// Vectors that are not in use say nothing, neither for nor against them.
Finding too_early(const Headway& headway) {
  return {Verdict::kNotMeasured,
          sentence(fmt::format(
              "{}: {} nats a character with sinusoidal vectors, {} without positions. The model "
              "does no better with the vectors: it has not begun to use them, and nothing can be "
              "said of their worth. labs/run 12 --full trains longer",
              headway.budget, text_of(headway.sinusoidal), text_of(headway.none))),
          {{"sinusoidal", headway.sinusoidal.mean}, {"none", headway.none.mean}}};
}

}  // namespace

bool Headway::is_underway() const { return lower(sinusoidal, none); }

Finding better_than_before(const Headway& headway, const SchemeNumber& chosen,
                           const SchemeNumber& older, const SchemeNumber& rival) {
  if (!headway.is_underway()) return too_early(headway);
  const bool beats_older =
      lower(chosen.spread, headway.sinusoidal) && lower(chosen.spread, older.spread);
  const bool beats_rival = lower(chosen.spread, rival.spread);
  return {
      beats_older ? beats_rival ? Verdict::kHolds : Verdict::kHoldsIf : Verdict::kFails,
      sentence(fmt::format(
          "{}{}: {}, sinusoidal {}, {}, {} nats a character; {} and {}: {}. Why large models "
          "took to it, a toy cannot show",
          beats_older && !beats_rival
              ? fmt::format("Only if it is compared with sinusoidal, not with {}: ", rival.scheme)
              : "",
          headway.budget, named(chosen), text_of(headway.sinusoidal), named(older), named(rival),
          chosen.scheme, rival.scheme, against_noise(chosen.spread, rival.spread))),
      {{chosen.scheme, chosen.spread.mean},
       {rival.scheme, rival.spread.mean},
       {"sinusoidal", headway.sinusoidal.mean},
       {older.scheme, older.spread.mean}}};
}

Finding still_reasonable(const Headway& headway, const std::vector<SchemeNumber>& others) {
  if (!headway.is_underway()) return too_early(headway);
  const auto best = std::min_element(
      others.begin(), others.end(),
      [](const SchemeNumber& a, const SchemeNumber& b) { return a.spread.mean < b.spread.mean; });
  const double none = headway.none.mean, won = none - headway.sinusoidal.mean,
               worth = none - best->spread.mean;
  const bool half = won >= worth / 2;
  return {half ? Verdict::kHolds : Verdict::kHoldsIf,
          sentence(fmt::format(
              "{}{}: {} nats without positions, sinusoidal {}, {}. Of the {:.3f} that positions "
              "are worth, sinusoidal wins {:.3f}",
              half ? "" : "Only if it is enough to be better than nothing: ", headway.budget,
              text_of(headway.none), text_of(headway.sinusoidal), all_named(others), worth, won)),
          {{"none", none},
           {"sinusoidal", headway.sinusoidal.mean},
           {"best", best->spread.mean},
           {"share", won / worth}}};
}

Finding matter_of_habit(const Headway& headway, const Spread& beside) {
  return {lie_apart(headway.sinusoidal, beside) ? Verdict::kFails : Verdict::kHolds,
          sentence(both_ways(headway, beside)),
          {{"added", headway.sinusoidal.mean}, {"beside", beside.mean}}};
}

Finding interference(const Headway& headway, const Spread& beside) {
  const bool helps = lower(beside, headway.sinusoidal);
  return {helps ? Verdict::kHolds : Verdict::kFails,
          sentence(fmt::format("{}. If the two were in each other's way, columns of their own "
                               "would help: they {}",
                               both_ways(headway, beside), helps ? "do" : "do not")),
          {{"added", headway.sinusoidal.mean}, {"beside", beside.mean}}};
}

Finding large_base(const Headway& headway, const Spread& usual, const Spread& tuned,
                   const std::string& base) {
  if (!headway.is_underway()) return too_early(headway);
  const bool hurts = lower(tuned, usual);
  return {hurts ? Verdict::kFails : Verdict::kHolds,
          sentence(fmt::format(
              "With windows of 128 characters, {}: {} nats with base 10000, {} with base {}, whose "
              "longest wave is one window long: {}. D0 doubts that frequencies fixed beforehand "
              "suit every text, D3 sees no harm in them: here {} is right",
              headway.budget, text_of(usual), text_of(tuned), base, against_noise(usual, tuned),
              hurts ? "D0" : "D3")),
          {{"usual", usual.mean}, {"tuned", tuned.mean}}};
}

Finding blind_when_trained(const Budget& budget, const OrderedLoss& none, const OrderedLoss& rope) {
  // A blind model adds the same numbers in another order: rounding of some 1e-6 a loss.
  const bool sees = std::abs(none.shuffled.mean - none.intact.mean) > 1e-4;
  return {sees ? Verdict::kFails : Verdict::kHolds,
          sentence(fmt::format(
              "{}: the last character of a window costs a model without positions {} nats, and {} "
              "when what stands before its last two is shuffled (with rope {} and {}). Under a "
              "causal mask two layers {} order without any encoding",
              budget, text_of(none.intact), text_of(none.shuffled), text_of(rope.intact),
              text_of(rope.shuffled), sees ? "read" : "do not read")),
          {{"intact", none.intact.mean},
           {"shuffled", none.shuffled.mean},
           {"rope intact", rope.intact.mean},
           {"rope shuffled", rope.shuffled.mean}}};
}

Finding free_of_absolute(const Budget& budget, double far, const MovedLoss& relative,
                         const MovedLoss& absolute) {
  // Sines of `far` in single precision leave some 1e-5 of a loss.
  constexpr double kSame = 1e-3;
  const auto moves = [&](const MovedLoss& loss) {
    return !(std::abs(loss.there.mean - loss.here.mean) <= kSame);
  };
  return {!moves(relative) && moves(absolute) ? Verdict::kHolds : Verdict::kFails,
          sentence(fmt::format(
              "{}: the same windows cost {} {} nats at position 0 and {} at {:.0f}; with {} "
              "vectors they cost {} and {}",
              budget, relative.scheme, text_of(relative.here), text_of(relative.there), far,
              absolute.scheme, text_of(absolute.here), text_of(absolute.there))),
          {{"relative here", relative.here.mean},
           {"relative there", relative.there.mean},
           {"absolute here", absolute.here.mean},
           {"absolute there", absolute.there.mean}}};
}

Finding cheaper_than_a_table(const Headway& headway, std::size_t fixed, std::size_t table,
                             const Spread& table_loss) {
  const Spread& waves = headway.sinusoidal;
  const bool cheaper = fixed < table, loses = lower(table_loss, waves);
  if (cheaper && !headway.is_underway()) return too_early(headway);
  const double more = static_cast<double>(table) - static_cast<double>(fixed);
  return {
      !cheaper ? Verdict::kFails
      : loses  ? Verdict::kHoldsIf
               : Verdict::kHolds,
      sentence(fmt::format("{}a table adds {:.0f} parameters to {} ({:.1f} %), waves none; {}: {} "
                           "nats with waves, {} with a table: {}",
                           cheaper && loses ? "Only if parameters count and not the loss: " : "",
                           more, fixed, 100 * more / static_cast<double>(fixed), headway.budget,
                           text_of(waves), text_of(table_loss), against_noise(waves, table_loss))),
      {{"parameters", more}, {"fixed", waves.mean}, {"table", table_loss.mean}}};
}

Finding carries_over_in_tasks(const std::vector<TaskNumber>& numbers) {
  // Nine of ten is learned; half is what carrying over leaves at least.
  constexpr double kLearned = 0.9, kCarried = 0.5;
  std::vector<std::string> all, learned, carried, unjudged;
  std::set<std::string> judged;
  Finding finding{};
  for (const TaskNumber& n : numbers) {
    const std::string name = fmt::format("{} on {}", n.scheme, name_of(n.task));
    all.push_back(fmt::format("{} {:.2f} and {:.2f}", name, n.trained.mean, n.twice.mean));
    finding.numbers.emplace_back(name, n.twice.mean);
    if (!(n.trained.mean >= kLearned)) continue;
    judged.insert(n.scheme);
    learned.push_back(name);
    if (n.twice.mean >= kCarried) carried.push_back(name);
  }
  for (const TaskNumber& n : numbers)
    if (!judged.contains(n.scheme) && (unjudged.empty() || unjudged.back() != n.scheme))
      unjudged.push_back(n.scheme);
  const bool everything = carried.size() == learned.size() && unjudged.empty();
  finding.verdict = learned.empty()   ? Verdict::kNotMeasured
                    : carried.empty() ? Verdict::kFails
                    : everything      ? Verdict::kHolds
                                      : Verdict::kHoldsIf;
  const std::string answers = fmt::format(
      "Right answers at the trained length and at twice that: {}", fmt::join(all, "; "));
  if (learned.empty())
    finding.measured = fmt::format(
        "No task was learned (nine of ten right), so there is nothing to carry over. {}.", answers);
  else
    finding.measured = sentence(fmt::format(
        "{}judged is what was learned (nine of ten right), {}; {} at least half right at twice the "
        "trained length.{} {}",
        finding.verdict == Verdict::kHoldsIf
            ? fmt::format("Only if it is asked of {}: ", fmt::join(carried, " and "))
            : "",
        fmt::join(learned, " and "),
        carried.empty()
            ? std::string("none of it is")
            : fmt::format("{} {}", fmt::join(carried, " and "), carried.size() == 1 ? "is" : "are"),
        unjudged.empty() ? std::string()
                         : fmt::format(" Nothing can be said of {}, which learned no task.",
                                       fmt::join(unjudged, " and ")),
        answers));
  return finding;
}

}  // namespace phasor
