#include "labs/lab05_autograd/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/analysis/matrix.hpp"

namespace phasor::lab05 {
namespace {

std::vector<Id> leaves_of(Tape& tape, const std::vector<Array>& inputs) {
  std::vector<Id> leaves;
  for (const Array& input : inputs) leaves.push_back(tape.leaf("input", input));
  return leaves;
}

double weighted_sum(const Array& dy, const Array& y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += dy.data()[i] * y.data()[i];
  return sum;
}

double largest(const Array& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

Function value_of(const Expression& expression) {
  return [expression](const std::vector<Array>& inputs) {
    Tape tape;
    return tape[expression(tape, leaves_of(tape, inputs))].value;
  };
}

std::vector<Array> gradients_of(const Expression& expression, const std::vector<Array>& inputs,
                                const Array& dy, int times) {
  Tape tape;
  const std::vector<Id> leaves = leaves_of(tape, inputs);
  const Id output = expression(tape, leaves);
  for (int i = 0; i < times; ++i) tape.backward(output, dy);
  std::vector<Array> gradients;
  for (const Id leaf : leaves) gradients.push_back(tape[leaf].gradient);
  return gradients;
}

std::vector<Array> numeric_gradients(const Function& f, std::vector<Array> inputs, const Array& dy,
                                     double h, Difference difference) {
  std::vector<Array> gradients;
  const double here = weighted_sum(dy, f(inputs));
  for (Array& input : inputs) {
    Array gradient = xt::zeros_like(input);
    for (std::size_t i = 0; i < input.size(); ++i) {
      const double x = input.data()[i];
      input.data()[i] = x + h;
      const double above = weighted_sum(dy, f(inputs));
      input.data()[i] = x - h;
      gradient.data()[i] = difference == Difference::kCentral
                               ? (above - weighted_sum(dy, f(inputs))) / (2 * h)
                               : (above - here) / h;
      input.data()[i] = x;
    }
    gradients.push_back(gradient);
  }
  return gradients;
}

double relative_error(const std::vector<Array>& a, const std::vector<Array>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = largest_difference(a[i], b[i]);
    if (difference > 0)
      worst = std::max(worst, difference / std::max(largest(a[i]), largest(b[i])));
    if (!std::isfinite(difference)) return difference;
  }
  return worst;
}

Array random_array(const std::vector<std::size_t>& shape, Rng& rng) {
  Array values = Array::from_shape(shape);
  for (double& value : values) value = rng.normal();
  return values;
}

}  // namespace phasor::lab05
