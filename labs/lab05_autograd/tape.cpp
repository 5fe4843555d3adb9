#include "labs/lab05_autograd/tape.hpp"

#include <utility>

#include "labs/lab05_autograd/exercise.hpp"
#include "phasor/analysis/matrix.hpp"

namespace phasor::lab05 {

using Gradients = std::vector<Array*>;

Id Tape::leaf(std::string name, Array value) {
  return record(std::move(name), std::move(value), {}, nullptr);
}

Id Tape::record(std::string name, Array value, std::vector<Id> inputs, Backward backward) {
  Array zeros = xt::zeros_like(value);
  nodes_.push_back({std::move(name), std::move(value), std::move(zeros), std::move(inputs),
                    std::move(backward)});
  return nodes_.size() - 1;
}

Id Tape::add(Id a, Id b) {
  return record("add", nodes_[a].value + nodes_[b].value, {a, b},
                [](const Array& dy, const Gradients& gradients) {
                  *gradients[0] += dy;
                  *gradients[1] += dy;
                });
}

Id Tape::mul(Id a, Id b) {
  return record("mul", nodes_[a].value * nodes_[b].value, {a, b},
                [this, a, b](const Array& dy, const Gradients& gradients) {
                  mul_backward(dy, nodes_[a].value, nodes_[b].value, *gradients[0], *gradients[1]);
                });
}

Id Tape::matmul(Id a, Id b) {
  return record("matmul", product(nodes_[a].value, nodes_[b].value), {a, b},
                [this, a, b](const Array& dy, const Gradients& gradients) {
                  matmul_backward(dy, nodes_[a].value, nodes_[b].value, *gradients[0],
                                  *gradients[1]);
                });
}

Id Tape::softmax(Id x) {
  const Id self = nodes_.size();
  return record("softmax", lab05::softmax(nodes_[x].value), {x},
                [this, self](const Array& dy, const Gradients& gradients) {
                  softmax_backward(dy, nodes_[self].value, *gradients[0]);
                });
}

Id Tape::layer_norm(Id x, Id weight, Id bias) {
  return record("layer norm",
                lab05::layer_norm(nodes_[x].value, nodes_[weight].value, nodes_[bias].value),
                {x, weight, bias}, [this, x, weight](const Array& dy, const Gradients& gradients) {
                  layer_norm_backward(dy, nodes_[x].value, nodes_[weight].value, kEpsilon,
                                      *gradients[0], *gradients[1], *gradients[2]);
                });
}

Id Tape::embedding(Id table, const Rows& rows) {
  return record("embedding", lab05::embedding(nodes_[table].value, rows), {table},
                [rows](const Array& dy, const Gradients& gradients) {
                  embedding_backward(dy, rows, *gradients[0]);
                });
}

Id Tape::cross_entropy(Id logits, const Rows& targets) {
  return record("cross entropy", lab05::cross_entropy(nodes_[logits].value, targets), {logits},
                [this, logits, targets](const Array& dy, const Gradients& gradients) {
                  cross_entropy_backward(dy(), nodes_[logits].value, targets, *gradients[0]);
                });
}

std::vector<Id> Tape::consumers_first(Id output) const {
  // Inputs have smaller numbers, so one walk down the tape meets every consumer of a value before
  // the value itself. No recursion: a graph can be deeper than the stack.
  std::vector<bool> needed(output + 1, false);
  needed[output] = true;
  std::vector<Id> order;
  for (Id id = output + 1; id-- > 0;) {
    if (!needed[id]) continue;
    order.push_back(id);
    for (const Id input : nodes_[id].inputs) needed[input] = true;
  }
  return order;
}

void Tape::backward(Id output, const Array& dy) {
  const std::vector<Id> order = consumers_first(output);
  for (const Id id : order)
    if (nodes_[id].backward) nodes_[id].gradient.fill(0);
  nodes_[output].gradient += dy;
  for (const Id id : order) {
    const Node& node = nodes_[id];
    if (!node.backward) continue;
    Gradients gradients;
    for (const Id input : node.inputs) gradients.push_back(&nodes_[input].gradient);
    node.backward(node.gradient, gradients);
  }
}

std::vector<Array> Tape::given_back(Id op) const {
  std::vector<Array> shares;
  for (const Id input : nodes_[op].inputs) shares.push_back(xt::zeros_like(nodes_[input].value));
  Gradients gradients;
  for (Array& share : shares) gradients.push_back(&share);
  if (nodes_[op].backward) nodes_[op].backward(nodes_[op].gradient, gradients);
  return shares;
}

}  // namespace phasor::lab05
