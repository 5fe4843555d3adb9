#include "labs/lab05_autograd/operations.hpp"

#include <algorithm>
#include <stdexcept>

#include "labs/lab05_autograd/golden.hpp"
#include "phasor/autograd/backward.hpp"
#include "phasor/ops/cross_entropy.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/embedding.hpp"
#include "phasor/ops/matmul.hpp"
#include "phasor/ops/norm.hpp"
#include "phasor/ops/softmax.hpp"

namespace phasor::lab05 {
namespace {

using Ids = std::vector<Id>;
using Vars = std::vector<Var>;
using Shapes = std::vector<std::vector<std::size_t>>;

Indices indices_of(const std::vector<std::size_t>& numbers) {
  Indices result = Indices::from_shape({numbers.size()});
  std::transform(numbers.begin(), numbers.end(), result.begin(),
                 [](std::size_t n) { return static_cast<std::int64_t>(n); });
  return result;
}

Array array_of(const GoldenTensor& tensor) {
  Array result = Array::from_shape(tensor.shape);
  std::copy(tensor.values.begin(), tensor.values.end(), result.begin());
  return result;
}

Tensor tensor_of(const Array& array) {
  Tensor result = empty(shape_of(array));
  std::transform(array.begin(), array.end(), result.begin(),
                 [](double value) { return static_cast<Real>(value); });
  return result;
}

/// Shapes of the random inputs; those of golden.hpp are others.
Shapes shapes_of(const std::string& name) {
  if (name == "mul") return {{3, 5}, {3, 5}};
  if (name == "matmul") return {{3, 3}, {3, 3}};
  if (name == "softmax") return {{4, 3}};
  if (name == "layer norm") return {{3, 6}, {6}, {6}};
  if (name == "embedding") return {{4, 2}};
  return {{4, 3}};  // cross entropy
}

/// softmax with dx as one formula of y, dy and a number for each row.
Expression softmax_with(
    std::function<double(double y, double dy, double mean_dy, double along)> dx) {
  return [dx = std::move(dx)](Tape& tape, const Ids& inputs) {
    const Array y = softmax(tape[inputs[0]].value);
    return tape.record("softmax", y, {inputs[0]}, [dx, y](const Array& dy, const auto& gradients) {
      const std::size_t width = y.shape(1);
      for (std::size_t n = 0; n < y.shape(0); ++n) {
        double mean = 0, along = 0;
        for (std::size_t i = 0; i < width; ++i) {
          mean += dy(n, i) / static_cast<double>(width);
          along += dy(n, i) * y(n, i);
        }
        for (std::size_t i = 0; i < width; ++i)
          (*gradients[0])(n, i) += dx(y(n, i), dy(n, i), mean, along);
      }
    });
  };
}

}  // namespace

std::vector<Operation> operations() {
  const Indices rows = indices_of(kGoldenRows), targets = indices_of(kGoldenTargets);
  return {
      {"mul", [](Tape& tape, const Ids& in) { return tape.mul(in[0], in[1]); },
       [](const Vars& in) { return phasor::mul(in[0], in[1]); }},
      {"matmul", [](Tape& tape, const Ids& in) { return tape.matmul(in[0], in[1]); },
       [](const Vars& in) { return phasor::matmul(in[0], in[1]); }},
      {"softmax", [](Tape& tape, const Ids& in) { return tape.softmax(in[0]); },
       [](const Vars& in) { return phasor::softmax(in[0]); }},
      {"layer norm", [](Tape& tape, const Ids& in) { return tape.layer_norm(in[0], in[1], in[2]); },
       [](const Vars& in) {
         return phasor::layer_norm(in[0], in[1], in[2], static_cast<Real>(kEpsilon));
       }},
      {"embedding", [](Tape& tape, const Ids& in) { return tape.embedding(in[0], kGoldenRows); },
       [rows](const Vars& in) { return phasor::embedding(in[0], rows); }},
      {"cross entropy",
       [](Tape& tape, const Ids& in) { return tape.cross_entropy(in[0], kGoldenTargets); },
       [targets](const Vars& in) { return phasor::cross_entropy(in[0], targets); }}};
}

Sample golden_sample(const Operation& operation) {
  const auto golden =
      std::find_if(kGoldenGradients.begin(), kGoldenGradients.end(),
                   [&](const GoldenGradients& one) { return one.op == operation.name; });
  if (golden == kGoldenGradients.end())
    throw std::logic_error("golden.hpp has no " + operation.name);
  Sample sample{.inputs = {}, .dy = array_of(golden->dy)};
  for (const GoldenTensor& input : golden->inputs) sample.inputs.push_back(array_of(input));
  for (const GoldenTensor& g : golden->gradients) sample.gradients.push_back(array_of(g));
  return sample;
}

Sample random_sample(const Operation& operation) {
  Rng rng(1, operation.name);
  Sample sample;
  for (const auto& shape : shapes_of(operation.name))
    sample.inputs.push_back(random_array(shape, rng));
  const Array y = value_of(operation.expression)(sample.inputs);
  sample.dy = random_array({y.shape().begin(), y.shape().end()}, rng);
  return sample;
}

std::vector<Array> library_gradients(const Operation& operation, const Sample& sample) {
  Vars leaves;
  for (const Array& input : sample.inputs) leaves.emplace_back(tensor_of(input), true);
  phasor::backward(operation.library(leaves), tensor_of(sample.dy));
  std::vector<Array> gradients;
  for (const Var& leaf : leaves) {
    Array gradient = Array::from_shape(leaf.shape());
    std::copy(leaf.grad().begin(), leaf.grad().end(), gradient.begin());
    gradients.push_back(gradient);
  }
  return gradients;
}

std::vector<WrongSoftmax> wrong_softmaxes() {
  return {{"dx += 0", softmax_with([](double, double, double, double) { return 0.0; })},
          {"dx += y (dy - mean(dy))",
           softmax_with([](double y, double dy, double mean, double) { return y * (dy - mean); })},
          {"dx += dy - sum(dy y)",
           softmax_with([](double, double dy, double, double along) { return dy - along; })}};
}

}  // namespace phasor::lab05
