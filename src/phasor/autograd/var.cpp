#include "phasor/autograd/var.hpp"

#include <algorithm>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

thread_local bool grad_is_on = true;
thread_local ObserveOps::Callback* observer = nullptr;

}  // namespace

Var::Var(Tensor value, bool requires_grad)
    : node_(std::allocate_shared<Node>(RecyclingAllocator<Node>())) {
  node_->shape = shape_of(value);
  node_->value = std::move(value);
  node_->requires_grad = requires_grad;
}

Var Var::op(const char* name, Tensor value, std::vector<Var> inputs, Backward backward) {
  Var result(std::move(value));
  result.node_->name = name;
  if (observer) (*observer)(result, inputs);
  const bool needs_grad = grad_is_on && std::any_of(inputs.begin(), inputs.end(),
                                                    [](const Var& x) { return x.requires_grad(); });
  if (needs_grad) {
    result.node_->requires_grad = true;
    result.node_->inputs = std::move(inputs);
    result.node_->backward = std::move(backward);
  }
  return result;
}

const Tensor& Var::value() const {
  check<GraphError>(node_ != nullptr, "[var] this Var is empty; give it a value first");
  return node_->value;
}

const Shape& Var::shape() const {
  check<GraphError>(node_ != nullptr, "[var] this Var is empty; give it a value first");
  return node_->shape;
}

bool Var::requires_grad() const { return node_ && node_->requires_grad; }
const char* Var::name() const { return node_ ? node_->name : "empty"; }

const std::vector<Var>& Var::inputs() const {
  check<GraphError>(node_ != nullptr, "[var] this Var is empty; give it a value first");
  return node_->inputs;
}

const Tensor& Var::grad() const {
  check<GraphError>(has_grad(),
                    "[var] there is no gradient; call backward on a loss that depends on "
                    "this leaf, and make the leaf with requires_grad");
  return node_->grad;
}

bool Var::has_grad() const { return node_ && node_->has_grad; }

void Var::clear_grad() {
  check<GraphError>(node_ != nullptr, "[var] this Var is empty; give it a value first");
  node_->grad = Tensor();
  node_->has_grad = false;
}

Tensor& Var::mutable_value() {
  check<GraphError>(node_ && node_->inputs.empty() && !node_->is_freed,
                    "[var] only a leaf can be changed in place, this is the result of '{}'",
                    name());
  return node_->value;
}

Node::~Node() {
  // One node at a time: releasing a long chain by recursion would overflow the stack.
  std::vector<std::shared_ptr<Node>> pending;
  const auto take_inputs_of = [&pending](Node& node) {
    try {
      for (Var& input : node.inputs) pending.push_back(std::move(input.node_));
      node.inputs.clear();
    } catch (const std::bad_alloc&) {  // the others are released by recursion after all
    }
  };
  take_inputs_of(*this);
  while (!pending.empty()) {
    const std::shared_ptr<Node> node = std::move(pending.back());
    pending.pop_back();
    if (node && node.use_count() == 1) take_inputs_of(*node);
  }
}

NoGrad::NoGrad() : before_(grad_is_on) { grad_is_on = false; }
NoGrad::~NoGrad() { grad_is_on = before_; }

ObserveOps::ObserveOps(Callback callback) : callback_(std::move(callback)), before_(observer) {
  observer = &callback_;
}
ObserveOps::~ObserveOps() { observer = before_; }

}  // namespace phasor::inline PHASOR_PRECISION
