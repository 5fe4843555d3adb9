// What follows from comparing schemes at an equal budget: the verdicts of the claims of lab 12.
#pragma once
#include <string>
#include <vector>

#include "phasor/analysis/spread.hpp"
#include "phasor/course/claim.hpp"
#include "phasor/data/tasks.hpp"

namespace phasor {

/// A number of one scheme over its runs.
struct SchemeNumber {
  std::string scheme;
  Spread spread;
};

/// How runs that are compared were trained: "after 200 steps, over 3 seeds".
using Budget = std::string;

/// Whether `chosen` has a lower loss than every one of `older` and `rival`, beyond seed noise.
Finding better_than_before(const Budget& budget, const SchemeNumber& chosen,
                           const std::vector<SchemeNumber>& older, const SchemeNumber& rival);

/// Whether a scheme wins at least half of what positions are worth, which is the way from the loss
/// of `none` down to the lowest of `others`.
Finding still_reasonable(const Budget& budget, const Spread& none, const SchemeNumber& scheme,
                         const std::vector<SchemeNumber>& others);

/// Whether two ways to combine token and encoding have losses that seeds alone make too.
Finding matter_of_habit(const Budget& budget, const Spread& added, const Spread& beside);
/// Whether columns of their own help.
Finding interference(const Budget& budget, const Spread& added, const Spread& beside);

/// Whether base 10000 costs anything against a base that fits the window.
Finding large_base(const Budget& budget, const Spread& usual, const Spread& tuned,
                   const std::string& base);

/// Loss of the last character of a window, as it is and behind shuffled text.
struct OrderedLoss {
  Spread intact, shuffled;
};
/// Whether order is nothing to a model that was trained without positions.
Finding blind_when_trained(const Budget& budget, const OrderedLoss& none, const OrderedLoss& rope);

/// Losses of the same windows at position 0 and far along.
struct MovedLoss {
  std::string scheme;
  Spread here, there;
};
/// Whether `relative` does not notice, and `absolute` does.
Finding free_of_absolute(const Budget& budget, double far, const MovedLoss& relative,
                         const MovedLoss& absolute);

/// Parameters of whole models and their losses.
Finding cheaper_than_a_table(const Budget& budget, std::size_t fixed, std::size_t table,
                             const Spread& fixed_loss, const Spread& table_loss);

/// Right answers of a scheme in a task at the trained length and at twice that.
struct TaskNumber {
  Task task;
  std::string scheme;
  Spread trained, twice;
};
/// Whether what was learned at the trained length still has half of the answers right at twice
/// that. Not measured when nothing was learned.
Finding carries_over_in_tasks(const std::vector<TaskNumber>& numbers);

}  // namespace phasor
