#include "phasor/train/adamw.hpp"

#include <cmath>

namespace phasor::inline PHASOR_PRECISION {

Adamw::Adamw(std::vector<NamedParameter> parameters, AdamwOptions options)
    : parameters_(std::move(parameters)), options_(options) {
  for (const NamedParameter& parameter : parameters_) {
    first_.push_back(zeros(parameter.value.shape()));
    second_.push_back(zeros(parameter.value.shape()));
  }
}

void Adamw::update(const std::vector<Tensor>& gradients, Real factor, double learning_rate,
                   Workers& workers) {
  ++steps_;
  const double t = static_cast<double>(steps_);
  const Real beta1 = static_cast<Real>(options_.beta1), beta2 = static_cast<Real>(options_.beta2);
  const Real rest1 = static_cast<Real>(1 - options_.beta1);
  const Real rest2 = static_cast<Real>(1 - options_.beta2);
  const Real pace = static_cast<Real>(learning_rate / (1 - std::pow(options_.beta1, t)));
  const Real spread = static_cast<Real>(1 / std::sqrt(1 - std::pow(options_.beta2, t)));
  const Real epsilon = static_cast<Real>(options_.epsilon);
  workers.run(parameters_.size(), [&](std::size_t i) {
    Var& parameter = parameters_[i].value;
    const bool decays = parameter.rank() >= 2;
    const Real kept = static_cast<Real>(1 - (decays ? learning_rate * options_.weight_decay : 0));
    const Real* gradient = gradients[i].data();
    Real *w = parameter.mutable_value().data(), *m = first_[i].data(), *v = second_[i].data();
    for (std::size_t j = 0; j < parameter.size(); ++j) {
      const Real g = factor * gradient[j];
      m[j] = beta1 * m[j] + rest1 * g;
      v[j] = beta2 * v[j] + rest2 * g * g;
      w[j] = kept * w[j] - pace * m[j] / (std::sqrt(v[j]) * spread + epsilon);
    }
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
