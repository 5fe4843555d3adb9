#include "phasor/train/diagnose.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "phasor/core/error.hpp"
#include "phasor/ops/cross_entropy.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

bool is_finite(const Tensor& x) {
  return std::all_of(x.storage().begin(), x.storage().end(),
                     [](Real value) { return std::isfinite(value); });
}

/// Replays the forward pass and watches every op. An op without parameters of its own is placed
/// by the last parameter that was read before it.
std::string first_bad_activation(const Gpt& model, const Batch& batch) {
  std::map<const Node*, std::string> path_of;
  for (const NamedParameter& parameter : model.parameters())
    path_of[parameter.value.node()] = parameter.path;
  std::string found, near = "the start";
  const ObserveOps watch([&](const Var& result, const std::vector<Var>& inputs) {
    for (const Var& input : inputs)
      if (const auto known = path_of.find(input.node()); known != path_of.end())
        near = known->second;
    if (found.empty() && !is_finite(result.value()))
      found =
          fmt::format("the result of '{}' after {}, shape {}", result.name(), near, result.shape());
  });
  const NoGrad no_grad;
  const Var loss = cross_entropy(model(batch.inputs), batch.targets);
  return found;
}

}  // namespace

std::string first_bad_tensor(const Gpt& model, const Batch& batch,
                             const std::vector<Tensor>& gradients) {
  const std::vector<NamedParameter> parameters = model.parameters();
  for (const NamedParameter& parameter : parameters)
    if (!is_finite(parameter.value.value())) return "the parameter " + parameter.path;
  std::string activation = first_bad_activation(model, batch);
  if (!activation.empty()) return activation;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (!is_finite(gradients[i])) return "the gradient of " + parameters[i].path;
  return "";
}

}  // namespace phasor::inline PHASOR_PRECISION
