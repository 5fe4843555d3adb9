// A value that remembers how it was computed, so that gradients can flow back through it.
#pragma once
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION {

class OpGrad;
struct Node;
/// The backward of an op: reads dy, adds to the gradients of the inputs that need one. It must not
/// capture the op's own output (that would be a cycle of owners): OpGrad hands it over instead.
using Backward = std::function<void(const OpGrad&)>;

/// A handle on one node of the graph. Copies refer to the same node.
class Var {
 public:
  Var() = default;
  /// A leaf. With `requires_grad`, backward accumulates into grad().
  explicit Var(Tensor value, bool requires_grad = false);

  /// The result of an op. While gradients are off (NoGrad), or when no input requires one, inputs
  /// and backward are dropped at once. `name` must outlive the graph: use a string literal.
  static Var op(const char* name, Tensor value, std::vector<Var> inputs, Backward backward);

  const Tensor& value() const;
  const Shape& shape() const;
  std::size_t rank() const { return shape().size(); }
  std::size_t size() const { return value().size(); }
  bool requires_grad() const;
  /// The op that made it, "leaf" for a leaf.
  const char* name() const;
  /// What the op read. Empty for leaves, for constants and after backward has freed the graph.
  const std::vector<Var>& inputs() const;
  explicit operator bool() const { return node_ != nullptr; }
  bool is_same(const Var& other) const { return node_ == other.node_; }

  /// Accumulated dLoss/dthis of a leaf. Throws GraphError before any backward.
  const Tensor& grad() const;
  bool has_grad() const;
  void clear_grad();
  /// A leaf's values, to be changed in place by an optimizer. Throws GraphError on the result of an
  /// op that recorded a graph.
  Tensor& mutable_value();

  Node* node() const { return node_.get(); }

 private:
  explicit Var(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  std::shared_ptr<Node> node_;
  friend struct Node;
  friend class BackwardPass;
};

/// What lies behind a Var. Ops never touch it; Var, OpGrad and the backward pass do.
struct Node {
  Tensor value;
  Shape shape;
  Tensor grad;
  const char* name = "leaf";
  bool has_grad = false;
  bool requires_grad = false;
  bool is_freed = false;
  std::vector<Var> inputs;
  Backward backward;

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();
};

/// While one lives, ops on this thread build no graph.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};

/// While one lives, `callback` sees the result of every op on this thread, in order. The search for
/// the first tensor that went bad uses it.
class ObserveOps {
 public:
  using Callback = std::function<void(const Var& result, const std::vector<Var>& inputs)>;
  explicit ObserveOps(Callback callback);
  ~ObserveOps();
  ObserveOps(const ObserveOps&) = delete;
  ObserveOps& operator=(const ObserveOps&) = delete;

 private:
  Callback callback_;
  Callback* before_;
};

}  // namespace phasor::inline PHASOR_PRECISION
