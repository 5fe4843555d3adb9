#include "phasor/ops/elementwise.hpp"

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {

Var add(const Var& a, const Var& b) {
  return Var::op("add", kernel::add(a.value(), b.value()), {a, b}, [](const OpGrad& g) {
    const Shape a_shape = shape_of(g.input(0)), b_shape = shape_of(g.input(1));
    if (a_shape == b_shape) {
      if (g.needs(0)) g.add(0, g.dy());
      if (g.needs(1)) g.add(1, g.take_dy());
      return;
    }
    if (g.needs(0)) g.add(0, kernel::sum_to(g.dy(), a_shape));
    if (g.needs(1)) g.add(1, kernel::sum_to(g.dy(), b_shape));
  });
}

Var sub(const Var& a, const Var& b) {
  return Var::op("sub", kernel::subtract(a.value(), b.value()), {a, b}, [](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::sum_to(g.dy(), shape_of(g.input(0))));
    if (g.needs(1)) g.add(1, kernel::scale(kernel::sum_to(g.dy(), shape_of(g.input(1))), -1));
  });
}

Var mul(const Var& a, const Var& b) {
  return Var::op("mul", kernel::multiply(a.value(), b.value()), {a, b}, [](const OpGrad& g) {
    for (std::size_t i = 0; i < 2; ++i)
      if (g.needs(i))
        g.add(i, kernel::sum_to(kernel::multiply(g.dy(), g.input(1 - i)), shape_of(g.input(i))));
  });
}

Var scale(const Var& x, Real factor) {
  return Var::op("scale", kernel::scale(x.value(), factor), {x}, [factor](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::scale(g.dy(), factor));
  });
}

namespace {

/// A copy of x with `value` wherever the mask, repeated over the leading axes, is true.
Tensor fill_where(const Tensor& x, const Mask& mask, Real value) {
  Tensor result = x;
  for (std::size_t start = 0; start < result.size(); start += mask.size())
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask.data()[i]) result.data()[start + i] = value;
  return result;
}

}  // namespace

Var masked_fill(const Var& x, const Mask& mask, Real value) {
  const Shape inner = shape_of(mask);
  const Shape& outer = x.shape();
  check(inner.size() <= outer.size() && std::equal(inner.rbegin(), inner.rend(), outer.rbegin()),
        "[masked_fill] a mask of shape {} must equal the last axes of x, {}", inner, outer);
  return Var::op("masked_fill", fill_where(x.value(), mask, value), {x}, [mask](const OpGrad& g) {
    if (g.needs(0)) g.add(0, fill_where(g.dy(), mask, 0));
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
