// The gradients of a module's parameters against differences. In double only: differences of float
// losses are mostly rounding.
#pragma once
#include <functional>

#include "phasor/autograd/backward.hpp"
#include "phasor/nn/module.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Adds normal numbers to every parameter, so that none stands at a special value such as 0 or 1.
inline void nudge(const Module& module, double deviation, std::uint64_t seed = 1) {
  for (NamedParameter parameter : module.parameters()) {
    const Tensor noise = normal(parameter.value.shape(), seed++);
    Tensor& value = parameter.value.mutable_value();
    for (std::size_t i = 0; i < value.size(); ++i)
      value.data()[i] += static_cast<Real>(deviation) * noise.data()[i];
  }
}

struct ParameterError {
  double relative = 0;
  std::string path;
};

/// dL/de of L(parameter + e * direction), L = sum(dy * f()), by the differences of gradcheck:
/// with h = 1e-3 and a direction of length 1 they truncate by h^4 = 1e-12 times the fifth
/// derivative, and rounding adds 1e-16 / h = 1e-13 times the loss.
inline double slope(const std::function<Var()>& f, const Tensor& dy, Tensor& parameter,
                    const Tensor& direction) {
  const NoGrad no_grad;
  const Tensor before = parameter;
  const auto loss = [&](double step) {
    for (std::size_t i = 0; i < parameter.size(); ++i)
      parameter.data()[i] = before.data()[i] + static_cast<Real>(step) * direction.data()[i];
    const Var y = f();
    double sum = 0;
    for (std::size_t i = 0; i < dy.size(); ++i)
      sum += static_cast<double>(dy.data()[i]) * static_cast<double>(y.value().data()[i]);
    return sum;
  };
  constexpr double h = 1e-3;
  const double result = (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h);
  parameter = before;
  return result;
}

inline double length(const Tensor& x) {
  double squares = 0;
  for (const Real value : x) squares += std::pow(static_cast<double>(value), 2);
  return std::sqrt(squares);
}

/// Perturbs each parameter of `module` along three random directions and compares. The error is
/// divided by the slope to be expected along a random direction, |gradient| / sqrt(n), which for a
/// parameter without any influence (a key's bias under softmax) is rounding: not less than 1e-4 of
/// the largest such slope is taken.
inline ParameterError check_parameters(const Module& module, const std::function<Var()>& f) {
  std::vector<NamedParameter> parameters = module.parameters();
  for (NamedParameter& parameter : parameters) parameter.value.clear_grad();
  const Var y = f();
  const Tensor dy = normal(y.shape(), 77);
  backward(y, dy);
  const auto expected = [](const NamedParameter& parameter) {
    if (!parameter.value.has_grad()) return 0.0;
    return length(parameter.value.grad()) / std::sqrt(static_cast<double>(parameter.value.size()));
  };
  double largest = 0;
  for (const NamedParameter& parameter : parameters)
    largest = std::max(largest, expected(parameter));

  ParameterError worst;
  for (NamedParameter& parameter : parameters)
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Tensor direction = normal(parameter.value.shape(), seed);
      const Real norm = static_cast<Real>(length(direction));
      double analytic = 0;
      for (std::size_t i = 0; i < direction.size(); ++i) {
        direction.data()[i] /= norm;
        if (parameter.value.has_grad())
          analytic += static_cast<double>(parameter.value.grad().data()[i]) *
                      static_cast<double>(direction.data()[i]);
      }
      const double numeric = slope(f, dy, parameter.value.mutable_value(), direction);
      const double size = std::max(expected(parameter), 1e-4 * largest);
      const double error = std::abs(numeric - analytic) / (size > 0 ? size : 1);
      if (error > worst.relative || std::isnan(error)) worst = {error, parameter.path};
    }
  return worst;
}

}  // namespace phasor::inline PHASOR_PRECISION
