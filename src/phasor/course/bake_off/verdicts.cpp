#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

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

std::string both_ways(const Budget& budget, const Spread& added, const Spread& beside) {
  return fmt::format(
      "{} a character costs {} nats where the encoding is added to all columns of the token, and "
      "{} where each has half of the columns: {}",
      budget, text_of(added), text_of(beside), against_noise(added, beside));
}

}  // namespace

Finding better_than_before(const Budget& budget, const SchemeNumber& chosen,
                           const std::vector<SchemeNumber>& older, const SchemeNumber& rival) {
  const bool beats_older = std::all_of(older.begin(), older.end(), [&](const SchemeNumber& other) {
    return lower(chosen.spread, other.spread);
  });
  const bool beats_rival = lower(chosen.spread, rival.spread);
  Finding finding{
      beats_older ? beats_rival ? Verdict::kHolds : Verdict::kHoldsIf : Verdict::kFails,
      fmt::format("{}{}: {}, {}, {} nats a character; {} and {}: {}. Why large models "
                  "took to it, a toy cannot show.",
                  beats_older && !beats_rival ? fmt::format("it is compared with {}, not with {}; ",
                                                            older.front().scheme, rival.scheme)
                                              : "",
                  budget, named(chosen), all_named(older), named(rival), chosen.scheme,
                  rival.scheme, against_noise(chosen.spread, rival.spread)),
      {{chosen.scheme, chosen.spread.mean}, {rival.scheme, rival.spread.mean}}};
  for (const SchemeNumber& other : older)
    finding.numbers.emplace_back(other.scheme, other.spread.mean);
  return finding;
}

Finding still_reasonable(const Budget& budget, const Spread& none, const SchemeNumber& scheme,
                         const std::vector<SchemeNumber>& others) {
  const auto best = std::min_element(
      others.begin(), others.end(),
      [](const SchemeNumber& a, const SchemeNumber& b) { return a.spread.mean < b.spread.mean; });
  const double won = none.mean - scheme.spread.mean, worth = none.mean - best->spread.mean;
  const bool helps = lower(scheme.spread, none), half = helps && won >= worth / 2;
  return {half    ? Verdict::kHolds
          : helps ? Verdict::kHoldsIf
                  : Verdict::kFails,
          fmt::format("{}{}: {} nats without positions, {}, {}. Of the {:.3f} that positions are "
                      "worth, {} wins {:.3f}.",
                      helps && !half ? "better than nothing is enough; " : "", budget,
                      text_of(none), named(scheme), all_named(others), worth, scheme.scheme, won),
          {{"none", none.mean},
           {scheme.scheme, scheme.spread.mean},
           {"best", best->spread.mean},
           {"share", won / worth}}};
}

Finding matter_of_habit(const Budget& budget, const Spread& added, const Spread& beside) {
  return {lie_apart(added, beside) ? Verdict::kFails : Verdict::kHolds,
          both_ways(budget, added, beside) + ".",
          {{"added", added.mean}, {"beside", beside.mean}}};
}

Finding interference(const Budget& budget, const Spread& added, const Spread& beside) {
  const bool helps = lower(beside, added);
  return {helps ? Verdict::kHolds : Verdict::kFails,
          fmt::format("{}. If the two were in each other's way, columns of their own would help: "
                      "they {}.",
                      both_ways(budget, added, beside), helps ? "do" : "do not"),
          {{"added", added.mean}, {"beside", beside.mean}}};
}

Finding large_base(const Budget& budget, const Spread& usual, const Spread& tuned,
                   const std::string& base) {
  const bool hurts = lower(tuned, usual);
  return {
      hurts ? Verdict::kFails : Verdict::kHolds,
      fmt::format("with windows of 128 characters, {}: {} nats with base 10000, {} with base "
                  "{}, whose longest wave is one window long: {}. D0 doubts that frequencies "
                  "fixed beforehand suit every text, D3 sees no harm in them: here {} is right.",
                  budget, text_of(usual), text_of(tuned), base, against_noise(usual, tuned),
                  hurts ? "D0" : "D3"),
      {{"usual", usual.mean}, {"tuned", tuned.mean}}};
}

Finding blind_when_trained(const Budget& budget, const OrderedLoss& none, const OrderedLoss& rope) {
  // A blind model adds the same numbers in another order: rounding of some 1e-6 a loss.
  const bool sees = std::abs(none.shuffled.mean - none.intact.mean) > 1e-4;
  return {sees ? Verdict::kFails : Verdict::kHolds,
          fmt::format("{}: the last character of a window costs a model without positions {} nats, "
                      "and {} when what stands before its last two is shuffled (with rope {} and "
                      "{}). Under a causal mask two layers {} order without any encoding.",
                      budget, text_of(none.intact), text_of(none.shuffled), text_of(rope.intact),
                      text_of(rope.shuffled), sees ? "read" : "do not read"),
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
          fmt::format("{}: the same windows cost {} {} nats at position 0 and {} at {:.0f}; with "
                      "{} vectors they cost {} and {}.",
                      budget, relative.scheme, text_of(relative.here), text_of(relative.there), far,
                      absolute.scheme, text_of(absolute.here), text_of(absolute.there)),
          {{"relative here", relative.here.mean},
           {"relative there", relative.there.mean},
           {"absolute here", absolute.here.mean},
           {"absolute there", absolute.there.mean}}};
}

Finding cheaper_than_a_table(const Budget& budget, std::size_t fixed, std::size_t table,
                             const Spread& fixed_loss, const Spread& table_loss) {
  const bool cheaper = fixed < table, loses = lower(table_loss, fixed_loss);
  const double more = static_cast<double>(table) - static_cast<double>(fixed);
  return {!cheaper ? Verdict::kFails
          : loses  ? Verdict::kHoldsIf
                   : Verdict::kHolds,
          fmt::format("{}a table adds {:.0f} parameters to {} ({:.1f} %), waves none; {}: {} nats "
                      "with waves, {} with a table: {}.",
                      cheaper && loses ? "parameters are what counts, not the loss; " : "", more,
                      fixed, 100 * more / static_cast<double>(fixed), budget, text_of(fixed_loss),
                      text_of(table_loss), against_noise(fixed_loss, table_loss)),
          {{"parameters", more}, {"fixed", fixed_loss.mean}, {"table", table_loss.mean}}};
}

Finding carries_over_in_tasks(const std::vector<TaskNumber>& numbers) {
  // Nine of ten is learned; half is what carrying over leaves at least.
  constexpr double kLearned = 0.9, kCarried = 0.5;
  std::vector<std::string> parts;
  std::size_t learned = 0, carried = 0;
  Finding finding{};
  for (const TaskNumber& n : numbers) {
    const std::string name = fmt::format("{} {}", name_of(n.task), n.scheme);
    parts.push_back(fmt::format("{} {:.2f} and {:.2f}", name, n.trained.mean, n.twice.mean));
    finding.numbers.emplace_back(name, n.twice.mean);
    learned += n.trained.mean >= kLearned ? 1 : 0;
    carried += n.trained.mean >= kLearned && n.twice.mean >= kCarried ? 1 : 0;
  }
  finding.verdict = learned == 0         ? Verdict::kNotMeasured
                    : carried == learned ? Verdict::kHolds
                    : carried > 0        ? Verdict::kHoldsIf
                                         : Verdict::kFails;
  finding.measured = fmt::format(
      "{}of {} that were learned (nine of ten right), {} still have half right at twice the "
      "trained "
      "length. Right answers at the trained length and at twice that: {}.",
      carried > 0 && carried < learned ? "it depends on the task; " : "", learned, carried,
      fmt::join(parts, "; "));
  return finding;
}

}  // namespace phasor
