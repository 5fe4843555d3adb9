// Reverse-mode differentiation: from a loss to the gradients of its leaves.
#pragma once
#include <unordered_map>

#include "phasor/autograd/var.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Gradients of leaves, kept outside the graph. Threads that run backward at the same time through
/// graphs with shared parameters each bring their own.
class Gradients {
 public:
  /// nullptr when no gradient reached the leaf.
  const Tensor* find(const Var& leaf) const;
  bool empty() const { return by_node_.empty(); }
  void clear() { by_node_.clear(); }

 private:
  std::unordered_map<const Node*, Tensor> by_node_;
  friend class BackwardPass;
};

/// What the backward of an op may see and do.
class OpGrad {
 public:
  bool needs(std::size_t input) const;
  std::size_t input_count() const { return node_.inputs.size(); }
  const Tensor& input(std::size_t index) const { return node_.inputs[index].value(); }
  const Tensor& output() const { return node_.value; }
  /// dLoss/doutput.
  const Tensor& dy() const { return node_.grad; }
  /// The same, to be given away: dy() is empty afterwards.
  Tensor take_dy() const { return std::move(node_.grad); }
  /// Adds to dLoss/dinput. Throws ShapeError when the shape is not the input's.
  void add(std::size_t input, Tensor&& gradient) const;
  void add(std::size_t input, const Tensor& gradient) const;
  /// dLoss/dinput itself, zero where nothing was added yet: for kernels that accumulate in place.
  Tensor& into(std::size_t input) const;
  /// Where into() begins, null for an input that is absent or needs no gradient: what kernels with
  /// several gradients are given.
  Real* wanted(std::size_t input) const {
    return input < input_count() && needs(input) ? into(input).data() : nullptr;
  }
  /// into() for a gemm, which overwrites with beta = 0: memory need not be cleared first.
  struct Sum {
    Real* data;
    Real beta;  // 0: what is there means nothing, 1: it is to be added to
  };
  Sum sum(std::size_t input) const;

 private:
  OpGrad(Node& node, Gradients* leaves) : node_(node), leaves_(leaves) {}
  void check_shape(std::size_t input, const Tensor& gradient) const;
  /// The slot of an input's gradient and whether it holds anything yet.
  std::pair<Tensor*, bool> slot(std::size_t input) const;

  Node& node_;
  Gradients* leaves_;
  friend class BackwardPass;
};

/// Accumulates dloss/dleaf into the grad() of every leaf that requires it, and frees the graph as
/// it goes. Throws GraphError when the loss has more than one element, does not depend on a leaf
/// that requires a gradient, or was freed by an earlier backward.
void backward(const Var& loss);
/// The same, but the leaves' gradients are accumulated in `into` and the leaves stay untouched.
void backward(const Var& loss, Gradients& into);
/// Starts from dLoss/doutput = `dy`, for an output of any shape.
void backward(const Var& output, const Tensor& dy);

}  // namespace phasor::inline PHASOR_PRECISION
