#include "phasor/train/adamw.hpp"

#include <cmath>

#include "phasor/tensor/kernels/vector.hpp"

namespace phasor::inline PHASOR_PRECISION {

namespace {

/// The numbers of one update, the same for all elements of a parameter.
struct Rates {
  Real factor, beta1, beta2, rest1, rest2, pace, spread, epsilon, kept;
};

/// The update of one element, or of as many as fill a register.
template <class X>
void update_one(const Rates& r, X g, X& m, X& v, X& w) {
  using std::sqrt;
  g = X(r.factor) * g;
  m = X(r.beta1) * m + X(r.rest1) * g;
  v = X(r.beta2) * v + X(r.rest2) * g * g;
  w = X(r.kept) * w - X(r.pace) * m / (sqrt(v) * X(r.spread) + X(r.epsilon));
}

void update_all(const Rates& rates, std::size_t count, const Real* g, Real* m, Real* v, Real* w) {
  using kernel::Batch, kernel::kLanes;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Batch ms = Batch::load_unaligned(m + i), vs = Batch::load_unaligned(v + i);
    Batch ws = Batch::load_unaligned(w + i);
    update_one(rates, Batch::load_unaligned(g + i), ms, vs, ws);
    ms.store_unaligned(m + i);
    vs.store_unaligned(v + i);
    ws.store_unaligned(w + i);
  }
  for (; i < count; ++i) update_one(rates, g[i], m[i], v[i], w[i]);
}

}  // namespace

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
  Rates rates{};
  rates.factor = factor;
  rates.beta1 = static_cast<Real>(options_.beta1);
  rates.beta2 = static_cast<Real>(options_.beta2);
  rates.rest1 = static_cast<Real>(1 - options_.beta1);
  rates.rest2 = static_cast<Real>(1 - options_.beta2);
  rates.pace = static_cast<Real>(learning_rate / (1 - std::pow(options_.beta1, t)));
  rates.spread = static_cast<Real>(1 / std::sqrt(1 - std::pow(options_.beta2, t)));
  rates.epsilon = static_cast<Real>(options_.epsilon);
  workers.run(parameters_.size(), [&](std::size_t i) {
    Var& parameter = parameters_[i].value;
    Rates own = rates;
    own.kept =
        static_cast<Real>(1 - (parameter.rank() >= 2 ? learning_rate * options_.weight_decay : 0));
    update_all(own, parameter.size(), gradients[i].data(), first_[i].data(), second_[i].data(),
               parameter.mutable_value().data());
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
