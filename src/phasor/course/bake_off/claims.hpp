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

/// How far a model has come with its sinusoidal vectors: its loss beside that of one without
/// positions. As long as the two are level, a verdict on the vectors would be one on the short
/// training.
struct Headway {
  Budget budget;
  Spread none, sinusoidal;
  /// Whether the vectors are in use: the loss is the lower one, beyond seed noise.
  bool is_underway() const;
};

/// Whether `chosen` has a lower loss than sinusoidal vectors, `older` and `rival`, beyond seed
/// noise. Not measured before the vectors are in use.
Finding better_than_before(const Headway& headway, const SchemeNumber& chosen,
                           const SchemeNumber& older, const SchemeNumber& rival);

/// Whether sinusoidal vectors win at least half of what positions are worth, which is the way from
/// the loss without positions down to the lowest of `others`. Not measured before they are in use.
Finding still_reasonable(const Headway& headway, const std::vector<SchemeNumber>& others);

/// Whether two ways to combine token and encoding have losses that seeds alone make too.
Finding matter_of_habit(const Headway& headway, const Spread& beside);
/// Whether columns of their own help.
Finding interference(const Headway& headway, const Spread& beside);

/// Whether base 10000 costs anything against a base that fits a window of 128 characters. Not
/// measured before the vectors are in use, in the shorter windows that a model without positions
/// is trained on too.
Finding large_base(const Headway& headway, const Spread& usual, const Spread& tuned,
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

/// Parameters of whole models, of waves and of a table, and their losses. Not measured before the
/// waves are in use, unless the table has no more parameters.
Finding cheaper_than_a_table(const Headway& headway, std::size_t fixed, std::size_t table,
                             const Spread& table_loss);

/// Right answers of a scheme in a task at the trained length and at twice that.
struct TaskNumber {
  Task task;
  std::string scheme;
  Spread trained, twice;
};
/// Whether what was learned at the trained length (nine of ten right) still has half of the answers
/// right at twice that. Holds when all of it has and every scheme has learned a task; not measured
/// when nothing was learned.
Finding carries_over_in_tasks(const std::vector<TaskNumber>& numbers);

}  // namespace phasor
