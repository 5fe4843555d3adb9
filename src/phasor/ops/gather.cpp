#include "phasor/ops/gather.hpp"

#include <algorithm>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// [..., T, from] -> [..., T, to].
Shape with_last(Shape shape, std::size_t extent) {
  shape.back() = extent;
  return shape;
}

void check_index(const char* op, const Indices& index, std::size_t extent) {
  for (const std::int64_t i : index)
    check<DataError>(i >= 0 && static_cast<std::size_t>(i) < extent,
                     "[{}] index {} is outside the axis of {}; it runs from 0 to {}", op, i, extent,
                     extent - 1);
}

/// y[row, s] += x[row, index[row mod T, s]].
void add_gathered(const Tensor& x, const Indices& index, Tensor& y) {
  const std::size_t S = index.shape()[1], R = x.shape().back();
  for (std::size_t row = 0; row * S < y.size(); ++row) {
    const std::int64_t* chosen = index.data() + row * S % index.size();
    for (std::size_t s = 0; s < S; ++s)
      y.data()[row * S + s] += x.data()[row * R + static_cast<std::size_t>(chosen[s])];
  }
}

/// y[row, index[row mod T, s]] += x[row, s].
void add_scattered(const Tensor& x, const Indices& index, Tensor& y) {
  const std::size_t S = index.shape()[1], R = y.shape().back();
  for (std::size_t row = 0; row * S < x.size(); ++row) {
    const std::int64_t* chosen = index.data() + row * S % index.size();
    for (std::size_t s = 0; s < S; ++s)
      y.data()[row * R + static_cast<std::size_t>(chosen[s])] += x.data()[row * S + s];
  }
}

}  // namespace

Var gather(const Var& x, const Indices& index) {
  check(x.rank() >= 2 && index.dimension() == 2 && index.size() > 0 &&
            x.shape()[x.rank() - 2] == index.shape()[0],
        "[gather] x {} and the index {} must be [..., T, R] and [T, S]", x.shape(),
        shape_of(index));
  check_index("gather", index, x.shape().back());
  Tensor y = zeros(with_last(x.shape(), index.shape()[1]));
  add_gathered(x.value(), index, y);
  return Var::op("gather", std::move(y), {x}, [index](const OpGrad& g) {
    if (g.needs(0)) add_scattered(g.dy(), index, g.into(0));
  });
}

Var scatter_add(const Var& x, const Indices& index, std::size_t extent) {
  check(x.rank() >= 2 && index.dimension() == 2 && index.size() > 0 &&
            x.shape()[x.rank() - 2] == index.shape()[0] && x.shape().back() == index.shape()[1],
        "[scatter_add] x {} and the index {} must be [..., T, S] and [T, S]", x.shape(),
        shape_of(index));
  check_index("scatter_add", index, extent);
  Tensor y = zeros(with_last(x.shape(), extent));
  add_scattered(x.value(), index, y);
  return Var::op("scatter_add", std::move(y), {x}, [index](const OpGrad& g) {
    if (g.needs(0)) add_gathered(g.dy(), index, g.into(0));
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
