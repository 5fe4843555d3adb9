#include "phasor/autograd/backward.hpp"

#include <unordered_set>

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {

const Tensor* Gradients::find(const Var& leaf) const {
  const auto found = by_node_.find(leaf.node());
  return found == by_node_.end() ? nullptr : &found->second;
}

class BackwardPass {
 public:
  BackwardPass(const Var& output, Tensor dy, Gradients* leaves) : leaves_(leaves) {
    check<GraphError>(static_cast<bool>(output),
                      "[backward] the output is empty; compute it first");
    Node& root = *output.node();
    check<GraphError>(!root.is_freed,
                      "[backward] the graph of '{}' was freed by an earlier backward; "
                      "compute it again",
                      root.name);
    check<GraphError>(root.requires_grad,
                      "[backward] '{}' depends on no leaf that requires a gradient; make the "
                      "leaves with requires_grad, outside NoGrad",
                      root.name);
    check(shape_of(dy) == root.shape, "[backward] dy has shape {}, the output has {}", shape_of(dy),
          root.shape);
    std::vector<std::shared_ptr<Node>> order = consumers_first(output);
    if (order.empty()) {
      add_to_leaf(root, std::move(dy));
      return;
    }
    root.grad = std::move(dy);
    root.has_grad = true;
    for (std::shared_ptr<Node>& node : order) {
      if (node->has_grad) node->backward(OpGrad(*node, leaves_));
      release(*node);
      node.reset();
    }
  }

  static std::pair<Tensor*, bool> slot(Node& node, Gradients* leaves) {
    const bool is_leaf = !node.backward;
    if (is_leaf && leaves) {
      const auto [entry, is_new] = leaves->by_node_.try_emplace(&node);
      return {&entry->second, !is_new};
    }
    return {&node.grad, std::exchange(node.has_grad, true)};
  }

 private:
  /// Every op on the way to a leaf, each before the ops whose results it read. Iterative, because
  /// a graph can be deeper than the stack.
  static std::vector<std::shared_ptr<Node>> consumers_first(const Var& output) {
    std::vector<std::shared_ptr<Node>> finished;
    std::unordered_set<const Node*> seen;
    std::vector<std::pair<std::shared_ptr<Node>, std::size_t>> path;
    const auto visit = [&](const std::shared_ptr<Node>& node) {
      if (node->backward && seen.insert(node.get()).second) path.emplace_back(node, 0);
    };
    visit(output.node_);
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next < node->inputs.size()) {
        const std::shared_ptr<Node>& input = node->inputs[next++].node_;
        check<GraphError>(!input->is_freed,
                          "[backward] part of the graph, '{}', was freed by an "
                          "earlier backward; compute it again",
                          input->name);
        visit(input);
      } else {
        finished.push_back(node);
        path.pop_back();
      }
    }
    return {finished.rbegin(), finished.rend()};
  }

  static void release(Node& node) {
    node.is_freed = true;
    node.inputs.clear();
    node.backward = nullptr;
    node.grad = Tensor();
    node.has_grad = false;
  }

  void add_to_leaf(Node& leaf, Tensor dy) const {
    const auto [gradient, holds_a_sum] = slot(leaf, leaves_);
    if (holds_a_sum)
      kernel::add_to(*gradient, dy);
    else
      *gradient = std::move(dy);
  }

  Gradients* leaves_;
};

bool OpGrad::needs(std::size_t input) const { return node_.inputs[input].requires_grad(); }

std::pair<Tensor*, bool> OpGrad::slot(std::size_t input) const {
  return BackwardPass::slot(*node_.inputs[input].node(), leaves_);
}

void OpGrad::check_shape(std::size_t input, const Tensor& gradient) const {
  const Shape& wanted = node_.inputs[input].shape();
  check(shape_of(gradient) == wanted, "[{}] the gradient of input {} has shape {}, the input {}",
        node_.name, input, shape_of(gradient), wanted);
}

void OpGrad::add(std::size_t input, Tensor&& gradient) const {
  check_shape(input, gradient);
  const auto [sum, holds_a_sum] = slot(input);
  if (holds_a_sum)
    kernel::add_to(*sum, gradient);
  else
    *sum = std::move(gradient);
}

void OpGrad::add(std::size_t input, const Tensor& gradient) const {
  check_shape(input, gradient);
  const auto [sum, holds_a_sum] = slot(input);
  if (holds_a_sum)
    kernel::add_to(*sum, gradient);
  else
    *sum = gradient;
}

Tensor& OpGrad::into(std::size_t input) const {
  const auto [sum, holds_a_sum] = slot(input);
  if (!holds_a_sum) *sum = zeros(node_.inputs[input].shape());
  return *sum;
}

OpGrad::Sum OpGrad::sum(std::size_t input) const {
  const auto [gradient, holds_a_sum] = slot(input);
  if (!holds_a_sum) *gradient = empty(node_.inputs[input].shape());
  return {gradient->data(), holds_a_sum ? Real{1} : Real{0}};
}

void backward(const Var& output, const Tensor& dy) { BackwardPass(output, dy, nullptr); }

namespace {

void from_loss(const Var& loss, Gradients* leaves) {
  check<GraphError>(loss.size() == 1,
                    "[backward] a loss has one element, this has shape {}; take sum or mean "
                    "first, or pass dy",
                    loss.shape());
  BackwardPass(loss, full(loss.shape(), 1), leaves);
}

}  // namespace

void backward(const Var& loss) { from_loss(loss, nullptr); }
void backward(const Var& loss, Gradients& into) { from_loss(loss, &into); }

}  // namespace phasor::inline PHASOR_PRECISION
