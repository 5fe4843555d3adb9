#include "phasor/ops/reduce.hpp"

#include "phasor/core/error.hpp"
#include "phasor/ops/elementwise.hpp"
#include "phasor/ops/layout.hpp"
#include "phasor/tensor/kernels/elementwise.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Sums over stretched axes: x's shape -> `narrow`, whose extents are x's or 1.
Var sum_over(const Var& x, const Shape& narrow) {
  return Var::op("sum", kernel::sum_to(x.value(), narrow), {x}, [](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::expand_to(g.dy(), shape_of(g.input(0))));
  });
}

Tensor running_sum(const Tensor& x, From from) {
  Tensor y = empty(shape_of(x));
  const std::size_t N = x.shape().back();
  for (std::size_t row = 0; row < x.size(); row += N) {
    double total = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t at = row + (from == From::first ? i : N - 1 - i);
      total += static_cast<double>(x.data()[at]);
      y.data()[at] = static_cast<Real>(total);
    }
  }
  return y;
}

}  // namespace

Var sum(const Var& x) { return sum_over(x, {}); }

Var sum(const Var& x, std::size_t axis) {
  check(axis < x.rank(), "[sum] axis {} does not exist in x {}", axis, x.shape());
  Shape narrow = x.shape(), rest = x.shape();
  narrow[axis] = 1;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(axis));
  return reshape(sum_over(x, narrow), rest);
}

Var mean(const Var& x) { return scale(sum(x), 1 / static_cast<Real>(x.size())); }

Var mean(const Var& x, std::size_t axis) {
  check(axis < x.rank(), "[mean] axis {} does not exist in x {}", axis, x.shape());
  return scale(sum(x, axis), 1 / static_cast<Real>(x.shape()[axis]));
}

Var cumulative_sum(const Var& x, From from) {
  check(x.rank() >= 1, "[cumulative_sum] needs at least 1 axis, got {}", x.shape());
  return Var::op("cumulative_sum", running_sum(x.value(), from), {x}, [from](const OpGrad& g) {
    if (g.needs(0)) g.add(0, running_sum(g.dy(), from == From::first ? From::last : From::first));
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
