#include "phasor/tensor/kernels/softmax.hpp"

#include <cmath>

#include "phasor/tensor/kernels/vector.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {
namespace {

/// Calls f(offset of a row, its length) for every row of the last axis.
template <class F>
void for_each_row(const Tensor& x, F f) {
  const std::size_t row = x.shape().back();
  for (std::size_t offset = 0; offset < x.size(); offset += row) f(offset, row);
}

}  // namespace

Tensor softmax(const Tensor& x, std::vector<LogNormaliser>* kept) {
  Tensor y = empty(shape_of(x));
  if (kept) kept->reserve(element_count({x.shape().begin(), x.shape().end() - 1}));
  for_each_row(x, [&](std::size_t offset, std::size_t row) {
    const Real* in = x.data() + offset;
    Real* out = y.data() + offset;
    const Real top = largest(in, row);
    map(in, out, row, [top](const Batch& v) { return xsimd::exp(v - Batch(top)); });
    const Real total = sum(out, row), factor = 1 / total;
    if (kept) kept->push_back({top, std::log(total)});
    for (std::size_t i = 0; i < row; ++i) out[i] *= factor;
  });
  return y;
}

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  Tensor dx = empty(shape_of(y));
  for_each_row(y, [&](std::size_t offset, std::size_t row) {
    const Real *weight = y.data() + offset, *gradient = dy.data() + offset;
    Real* out = dx.data() + offset;
    const Real mean = dot(weight, gradient, row);
    for (std::size_t i = 0; i < row; ++i) out[i] = weight[i] * (gradient[i] - mean);
  });
  return dx;
}

Tensor log_softmax(const Tensor& x) {
  Tensor y = empty(shape_of(x));
  for_each_row(x, [&](std::size_t offset, std::size_t row) {
    const Real* in = x.data() + offset;
    Real* out = y.data() + offset;
    const Real top = largest(in, row);
    map(in, out, row, [top](const Batch& v) { return xsimd::exp(v - Batch(top)); });
    const Real log_sum = std::log(sum(out, row));
    // Two subtractions: top + log_sum would round the logarithm away beside a large logit.
    for (std::size_t i = 0; i < row; ++i) out[i] = (in[i] - top) - log_sum;
  });
  return y;
}

Tensor log_softmax_backward(const Tensor& y, const Tensor& dy) {
  Tensor dx = empty(shape_of(y));
  for_each_row(y, [&](std::size_t offset, std::size_t row) {
    const Real *log_weight = y.data() + offset, *gradient = dy.data() + offset;
    Real* out = dx.data() + offset;
    const Real total = sum(gradient, row);
    map(log_weight, out, row, [](const Batch& v) { return xsimd::exp(v); });
    for (std::size_t i = 0; i < row; ++i) out[i] = gradient[i] - out[i] * total;
  });
  return dx;
}

}  // namespace phasor::inline PHASOR_PRECISION::kernel
