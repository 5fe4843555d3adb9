#include "phasor/ops/activation.hpp"

#include <numbers>

#include "phasor/tensor/kernels/vector.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using kernel::Batch;

/// y = F::value(x), dx = dy * F::slope(x), both on vector registers. The slope is taken with the
/// value, for most have an exponential in common.
template <class F>
Var activation(const char* name, const Var& x) {
  Tensor y = empty(x.shape());
  if (!x.requires_grad()) {
    kernel::map(x.value().data(), y.data(), y.size(), [](const Batch& v) { return F::value(v); });
    return Var::op(name, std::move(y), {x}, {});
  }
  Tensor slope = empty(x.shape());
  kernel::map_to_two(x.value().data(), y.data(), slope.data(), y.size(), [](const Batch& v) {
    return std::pair{F::value(v), F::slope(v)};
  });
  return Var::op(name, std::move(y), {x}, [slope = std::move(slope)](const OpGrad& g) {
    if (!g.needs(0)) return;
    Tensor dx = g.take_dy();
    kernel::map(slope.data(), dx.data(), dx.data(), dx.size(),
                [](const Batch& v, const Batch& dy) { return dy * v; });
    g.add(0, std::move(dx));
  });
}

Batch constant(double value) { return Batch(static_cast<Real>(value)); }

struct Relu {
  // Not max(x, 0), which gives 0 for NaN: what is no number must stay visible.
  static Batch value(const Batch& x) { return xsimd::select(x < constant(0), constant(0), x); }
  static Batch slope(const Batch& x) {
    return xsimd::select(x > constant(0), constant(1), constant(0));
  }
};

/// Right at both ends: exp(-x) may overflow to infinity, whose inverse is 0.
Batch logistic(const Batch& x) { return constant(1) / (constant(1) + xsimd::exp(-x)); }

struct Sigmoid {
  static Batch value(const Batch& x) { return logistic(x); }
  static Batch slope(const Batch& x) { return logistic(x) * logistic(-x); }
};

struct Softplus {
  static Batch value(const Batch& x) {
    return xsimd::max(x, constant(0)) + xsimd::log1p(xsimd::exp(-xsimd::abs(x)));
  }
  static Batch slope(const Batch& x) { return logistic(x); }
};

struct Log1p {
  static Batch value(const Batch& x) { return xsimd::log1p(x); }
  static Batch slope(const Batch& x) { return constant(1) / (constant(1) + x); }
};

struct Silu {
  static Batch value(const Batch& x) { return x * logistic(x); }
  static Batch slope(const Batch& x) {
    const Batch s = logistic(x);
    return s * (constant(1) + x * (constant(1) - s));
  }
};

struct GeluTanh {
  static constexpr double kFactor = 0.79788456080286535588;  // sqrt(2 / pi)
  static constexpr double kCubic = 0.044715;

  /// (1 + tanh u) / 2 is the logistic function of 2u: one exponential instead of a tanh.
  static Batch share(const Batch& x) {
    return logistic(constant(2 * kFactor) * x * (constant(1) + constant(kCubic) * x * x));
  }
  static Batch value(const Batch& x) { return x * share(x); }
  static Batch slope(const Batch& x) {
    const Batch s = share(x);
    const Batch inner = constant(2 * kFactor) * (constant(1) + constant(3 * kCubic) * x * x);
    return s * (constant(1) + x * (constant(1) - s) * inner);
  }
};

struct GeluErf {
  static Batch cumulative(const Batch& x) {
    return constant(0.5) * (constant(1) + xsimd::erf(x * constant(1 / std::numbers::sqrt2)));
  }
  static Batch value(const Batch& x) { return x * cumulative(x); }
  static Batch slope(const Batch& x) {
    const Batch density = constant(std::numbers::inv_sqrtpi / std::numbers::sqrt2) *
                          xsimd::exp(constant(-0.5) * x * x);
    return cumulative(x) + x * density;
  }
};

}  // namespace

Var relu(const Var& x) { return activation<Relu>("relu", x); }
Var sigmoid(const Var& x) { return activation<Sigmoid>("sigmoid", x); }
Var softplus(const Var& x) { return activation<Softplus>("softplus", x); }
Var log1p(const Var& x) { return activation<Log1p>("log1p", x); }
Var silu(const Var& x) { return activation<Silu>("silu", x); }
Var gelu_tanh(const Var& x) { return activation<GeluTanh>("gelu_tanh", x); }
Var gelu_erf(const Var& x) { return activation<GeluErf>("gelu_erf", x); }

}  // namespace phasor::inline PHASOR_PRECISION
