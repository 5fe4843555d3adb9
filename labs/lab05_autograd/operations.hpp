// The six operations of the lab: on the tape with your backward, and in the library.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "labs/lab05_autograd/gradient.hpp"
#include "phasor/autograd/var.hpp"

namespace phasor::lab05 {

struct Operation {
  std::string name;  ///< as golden.hpp calls it
  Expression expression;
  std::function<Var(const std::vector<Var>& inputs)> library;  ///< in float
};

/// mul, matmul, softmax, layer norm, embedding, cross entropy. The last two read the rows and the
/// targets of golden.hpp.
std::vector<Operation> operations();

/// Inputs, a cotangent for the output, and the gradients of sum(dy * y), if known.
struct Sample {
  std::vector<Array> inputs;
  Array dy;
  std::vector<Array> gradients = {};
};

/// PyTorch's.
Sample golden_sample(const Operation& operation);
/// Random, of other shapes. Matrices are square here: an operand that was not transposed has the
/// right shape, and only its numbers are wrong.
Sample random_sample(const Operation& operation);

/// The gradients of the library's operation, in float.
std::vector<Array> library_gradients(const Operation& operation, const Sample& sample);

/// A backward for softmax that is wrong, and how it is written.
struct WrongSoftmax {
  std::string formula;
  Expression expression;
};

/// Three that a cotangent of ones cannot tell from the right one.
std::vector<WrongSoftmax> wrong_softmaxes();

}  // namespace phasor::lab05
