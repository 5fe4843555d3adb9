// What proves a drop. The lab runs it on what its learner wrote, a test on typical mistakes.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "labs/common/check_list.hpp"
#include "labs/lab11_drope/exercise.hpp"
#include "labs/lab11_drope/golden.hpp"

namespace phasor::lab11 {

using DropFunction =
    std::function<RotatedModel(const RotatedModel& trained, std::size_t trained_length,
                               std::size_t steps, const Training& train)>;
using Temperature = std::function<double(double c, double length, double trained_length)>;

/// A small model with two weights and the rotation of two pairs at three positions.
inline RotatedModel small_model() {
  return {.weights = {{"query.weight", {{0.5, -1.25}, {2, 0.125}}}, {"query.bias", {0.75, -3}}},
          .cosine = {{1, 1}, {0.5403, 0.99995}, {-0.4161, 0.9998}},
          .sine = {{0, 0}, {0.8415, 0.01}, {0.9093, 0.02}}};
}

/// What a training was given, and how often it was called.
struct Called {
  std::size_t times = 0, length = 0, steps = 0;
  RotatedModel start = {};
};

/// A training that adds 1 to every weight and remembers what it was given.
inline Training counting(Called& called) {
  return [&called](const RotatedModel& start, std::size_t length, std::size_t steps) {
    ++called.times;
    called.length = length;
    called.steps = steps;
    called.start = start;
    RotatedModel result = start;
    for (auto& [path, weight] : result.weights) weight += 1;
    return result;
  };
}

/// Of all weights; infinite when shapes or names differ or a weight is no number.
inline double difference_of_weights(const RotatedModel& a, const RotatedModel& b) {
  if (a.weights.size() != b.weights.size()) return std::numeric_limits<double>::infinity();
  double difference = 0;
  for (const auto& [path, weight] : a.weights) {
    const auto other = b.weights.find(path);
    if (other == b.weights.end()) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, largest_difference(weight, other->second));
  }
  return difference;
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"temperature",
     "a logarithm of base 2 or 10, l for l / L, a temperature below 1 in short windows"},
    {"trains once", "a training that is forgotten, or done at the longer length"},
    {"trained length", "a training that is forgotten, or done at the longer length"},
    {"200 steps", "a training that is forgotten, or done at the longer length"},
    {"weights carry over", "weights drawn anew, or rotated into the keys"},
    {"sine", "the two exchanged: that turns every pair by a quarter"},
    {"what comes back", "the untrained model returned"},
};

/// Every tolerance but the last is 0: values are copied, set or counted, and nothing is computed.
inline std::vector<ListedCheck> prove(const DropFunction& drop, const Temperature& temperature) {
  const RotatedModel trained = small_model();
  const xt::xarray<double> ones = xt::ones<double>({3, 2}), zeros = xt::zeros<double>({3, 2});
  Called called;
  RotatedModel result;
  const double threw = 1 - accepted([&] { result = drop(trained, 64, 200, counting(called)); });
  RotatedModel expected = called.start;
  for (auto& [path, weight] : expected.weights) weight += 1;
  std::vector<ListedCheck> checks{
      {.what = "drop_and_recalibrate ends without an exception",
       .measured = threw,
       .is_statement = true},
      {"it trains once", static_cast<double>(called.times), 0, 1},
      {"on windows of the trained length, 64", static_cast<double>(called.length), 0, 64},
      {"for the 200 steps it was given", static_cast<double>(called.steps), 0, 200},
      {"weights carry over: largest difference between the trained ones and those that training "
       "begins with",
       difference_of_weights(trained, called.start), 0},
      {"cosine: largest difference from 1", largest_difference(called.start.cosine, ones), 0},
      {"sine: largest difference from 0", largest_difference(called.start.sine, zeros), 0},
      {"what comes back is what training made of it: largest difference",
       difference_of_weights(expected, result), 0}};
  for (const GoldenTemperature& golden : kGoldenTemperatures)
    checks.push_back({"temperature at c = " + std::to_string(golden.c).substr(0, 3) + ", " +
                          std::to_string(static_cast<int>(golden.length)) + " characters after " +
                          std::to_string(static_cast<int>(golden.trained_length)),
                      measured_or_infinite([&] {
                        return temperature(golden.c, golden.length, golden.trained_length);
                      }),
                      // The golden values are an integral with rounding of a few 1e-16.
                      1e-14, golden.expected});
  return checks;
}

}  // namespace phasor::lab11
