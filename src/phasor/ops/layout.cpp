#include "phasor/ops/layout.hpp"

#include <algorithm>
#include <numeric>

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/layout.hpp"

namespace phasor::inline PHASOR_PRECISION {

Var reshape(const Var& x, const Shape& shape) {
  check(element_count(shape) == x.size(), "[reshape] {} has {} elements, {} needs {}", x.shape(),
        x.size(), shape, element_count(shape));
  Tensor y = x.value();
  y.reshape(shape);
  return Var::op("reshape", std::move(y), {x}, [](const OpGrad& g) {
    if (!g.needs(0)) return;
    Tensor dx = g.dy();
    dx.reshape(shape_of(g.input(0)));
    g.add(0, std::move(dx));
  });
}

Var transpose(const Var& x, const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> sorted = axes, all(x.rank());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), std::size_t{0});
  check(sorted == all, "[transpose] axes {} must be a permutation of {} for x {}", axes, all,
        x.shape());
  std::vector<std::size_t> inverse(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) inverse[axes[i]] = i;
  return Var::op("transpose", kernel::permute(x.value(), axes), {x}, [inverse](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::permute(g.dy(), inverse));
  });
}

Var slice(const Var& x, std::size_t axis, std::size_t start, std::size_t stop) {
  check(axis < x.rank(), "[slice] axis {} does not exist in x {}", axis, x.shape());
  check(start <= stop && stop <= x.shape()[axis], "[slice] range {}..{} is outside axis {} of x {}",
        start, stop, axis, x.shape());
  const auto [outer, extent, inner] = kernel::around(x.shape(), axis);
  Shape shape = x.shape();
  shape[axis] = stop - start;
  Tensor y = empty(shape);
  const std::size_t block = (stop - start) * inner, step = extent * inner, first = start * inner;
  for (std::size_t i = 0; i < outer; ++i)
    std::copy_n(x.value().data() + i * step + first, block, y.data() + i * block);
  return Var::op("slice", std::move(y), {x}, [outer = outer, block, step, first](const OpGrad& g) {
    if (!g.needs(0)) return;
    Real* dx = g.into(0).data() + first;
    const Real* dy = g.dy().data();
    for (std::size_t i = 0; i < outer; ++i)
      for (std::size_t j = 0; j < block; ++j) dx[i * step + j] += dy[i * block + j];
  });
}

Var concatenate(const std::vector<Var>& parts, std::size_t axis) {
  check(!parts.empty(), "[concatenate] needs at least one part");
  Shape shape = parts[0].shape();
  check(axis < shape.size(), "[concatenate] axis {} does not exist in {}", axis, shape);
  shape[axis] = 0;
  for (const Var& part : parts) {
    Shape other = part.shape();
    if (axis < other.size()) shape[axis] += std::exchange(other[axis], parts[0].shape()[axis]);
    check(other == parts[0].shape(), "[concatenate] {} and {} differ in an axis other than {}",
          parts[0].shape(), part.shape(), axis);
  }
  Tensor y = empty(shape);
  const auto [outer, extent, inner] = kernel::around(shape, axis);
  const std::size_t step = extent * inner;
  std::size_t first = 0;
  for (const Var& part : parts) {
    const std::size_t block = part.shape()[axis] * inner;
    for (std::size_t i = 0; i < outer; ++i)
      std::copy_n(part.value().data() + i * block, block, y.data() + i * step + first);
    first += block;
  }
  return Var::op("concatenate", std::move(y), parts,
                 [outer = outer, inner = inner, axis, step](const OpGrad& g) {
                   std::size_t offset = 0;
                   for (std::size_t which = 0; which < g.input_count(); ++which) {
                     const std::size_t block = g.input(which).shape()[axis] * inner;
                     if (g.needs(which)) {
                       Real* dx = g.into(which).data();
                       for (std::size_t i = 0; i < outer; ++i)
                         for (std::size_t j = 0; j < block; ++j)
                           dx[i * block + j] += g.dy().data()[i * step + offset + j];
                     }
                     offset += block;
                   }
                 });
}

Var split_heads(const Var& x, std::size_t heads) {
  check(x.rank() == 3 && heads > 0 && x.shape()[2] % heads == 0,
        "[split_heads] wants [B, T, C] with C divisible by {} heads, got {}", heads, x.shape());
  const std::size_t B = x.shape()[0], T = x.shape()[1], C = x.shape()[2], D = C / heads;
  Tensor y = kernel::swap_middle(x.value(), {B, T, heads, D}, {B, heads, T, D});
  return Var::op("split_heads", std::move(y), {x}, [B, T, C, D, heads](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::swap_middle(g.dy(), {B, heads, T, D}, {B, T, C}));
  });
}

Var merge_heads(const Var& x) {
  check(x.rank() == 4, "[merge_heads] wants [B, H, T, D], got {}", x.shape());
  const Shape split = x.shape();
  const std::size_t B = split[0], H = split[1], T = split[2], D = split[3];
  Tensor y = kernel::swap_middle(x.value(), split, {B, T, H * D});
  return Var::op("merge_heads", std::move(y), {x}, [B, T, H, D, split](const OpGrad& g) {
    if (g.needs(0)) g.add(0, kernel::swap_middle(g.dy(), {B, T, H, D}, split));
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
