#include "phasor/autograd/gradcheck.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/autograd/backward.hpp"
#include "phasor/core/larger.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr double kStep = 1e-3;

std::vector<Var> leaves_of(const std::vector<Tensor>& inputs) {
  std::vector<Var> leaves;
  for (const Tensor& input : inputs) leaves.emplace_back(input, true);
  return leaves;
}

/// L = sum(dy * f(inputs)) with element `at` of input `which` moved by `delta`.
double moved_loss(const TensorFunction& f, std::vector<Tensor>& inputs, const Tensor& dy,
                  std::size_t which, std::size_t at, double delta) {
  const NoGrad no_grad;
  Real& element = inputs[which].data()[at];
  const Real before = element;
  element = static_cast<Real>(before + delta);
  const Var y = f(leaves_of(inputs));
  element = before;
  double loss = 0;
  for (std::size_t i = 0; i < dy.size(); ++i)
    loss += static_cast<double>(dy.data()[i]) * static_cast<double>(y.value().data()[i]);
  return loss;
}

}  // namespace

GradcheckResult gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                          std::uint64_t seed) {
  const std::vector<Var> leaves = leaves_of(inputs);
  const Var y = f(leaves);
  Rng rng(seed, "gradcheck");
  const Tensor dy = random_normal(y.shape(), 0, 1, rng);
  backward(y, dy);

  GradcheckResult result;
  std::vector<Tensor> moving = inputs;
  for (std::size_t which = 0; which < inputs.size(); ++which) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < inputs[which].size(); ++i) {
      const auto loss = [&](double delta) { return moved_loss(f, moving, dy, which, i, delta); };
      const double numeric =
          (8 * (loss(kStep) - loss(-kStep)) - (loss(2 * kStep) - loss(-2 * kStep))) / (12 * kStep);
      const double analytic =
          leaves[which].has_grad() ? static_cast<double>(leaves[which].grad().data()[i]) : 0.0;
      difference = larger(difference, std::abs(analytic - numeric));
      size = std::max({size, std::abs(analytic), std::abs(numeric)});
    }
    const double error = size > 0 ? difference / size : difference;
    const double before = result.relative_error;
    result.relative_error = larger(before, error);
    if (error > before || (std::isnan(error) && !std::isnan(before))) result.worst_input = which;
  }
  return result;
}

}  // namespace phasor::inline PHASOR_PRECISION
