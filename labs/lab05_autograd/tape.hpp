// A tape: it writes down what is computed, and reads it backwards with your functions.
#pragma once
#include <functional>
#include <string>

#include "labs/lab05_autograd/forward.hpp"

namespace phasor::lab05 {

/// The place of a value on the tape.
using Id = std::size_t;
/// Adds to `gradients`, one for each input of an op. An input that was read twice is there twice.
using Backward = std::function<void(const Array& dy, const std::vector<Array*>& gradients)>;

struct Node {
  std::string name;  ///< of the op, or of the leaf
  Array value, gradient;
  std::vector<Id> inputs;
  Backward backward;  ///< empty for a leaf
};

/// Values in the order they were computed. An op reads what is on the tape already, so its inputs
/// have smaller numbers than itself.
class Tape {
 public:
  Tape() = default;
  Tape(const Tape&) = delete;  // what it recorded refers to it
  Tape& operator=(const Tape&) = delete;

  /// A value that nothing on the tape computes: a parameter.
  Id leaf(std::string name, Array value);
  /// What an op returned, what it read, and its backward function.
  Id record(std::string name, Array value, std::vector<Id> inputs, Backward backward);

  Id add(Id a, Id b);     ///< a + b, of one shape; its backward is written in tape.cpp
  Id mul(Id a, Id b);     ///< a * b, of one shape
  Id matmul(Id a, Id b);  ///< [M, K], [K, N] -> [M, N]
  Id softmax(Id x);       ///< over each row of [N, C]
  Id layer_norm(Id x, Id weight, Id bias);
  Id embedding(Id table, const Rows& rows);
  Id cross_entropy(Id logits, const Rows& targets);  ///< no axes

  std::size_t size() const { return nodes_.size(); }
  const Node& operator[](Id id) const { return nodes_[id]; }

  /// Everything that `output` depends on, itself first, every op before the ones it read from: a
  /// topological order.
  std::vector<Id> consumers_first(Id output) const;

  /// Adds d sum(dy * output) / d leaf to the gradient of every leaf that `output` depends on.
  void backward(Id output, const Array& dy);

  /// What an op gives back to each of its inputs, one by one. After backward.
  std::vector<Array> given_back(Id op) const;

 private:
  std::vector<Node> nodes_;
};

}  // namespace phasor::lab05
