#include "phasor/tensor/kernels/norm.hpp"

#include <cmath>

#include "phasor/tensor/kernels/vector.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {
namespace {

RowStatistics layer_statistics(const Real* x, std::size_t width, Real epsilon) {
  const Real count = static_cast<Real>(width);
  const Real mean = sum(x, width) / count;
  const Real squares = sum_of(x, width, [mean](const auto& v) { return (v - mean) * (v - mean); });
  return {mean, 1 / std::sqrt(squares / count + epsilon)};
}

RowStatistics rms_statistics(const Real* x, std::size_t width, Real epsilon) {
  return {0, 1 / std::sqrt(dot(x, x, width) / static_cast<Real>(width) + epsilon)};
}

template <class Measure>
Tensor normalise(const Tensor& x, const Tensor& weight, const Tensor* bias, Statistics* kept,
                 Measure measure) {
  Tensor y = empty(shape_of(x));
  const std::size_t width = weight.size();
  if (kept) kept->reserve(element_count({x.shape().begin(), x.shape().end() - 1}));
  for (std::size_t offset = 0; offset < x.size(); offset += width) {
    const Real *in = x.data() + offset, *w = weight.data(), *b = bias ? bias->data() : nullptr;
    Real* out = y.data() + offset;
    const RowStatistics row = measure(in, width);
    const auto [center, inverse] = row;
    if (kept) kept->push_back(row);
    if (b)
      for (std::size_t i = 0; i < width; ++i) out[i] = (in[i] - center) * inverse * w[i] + b[i];
    else
      for (std::size_t i = 0; i < width; ++i) out[i] = (in[i] - center) * inverse * w[i];
  }
  return y;
}

/// `removes_mean`: whether the forward subtracted the mean, so that backward must as well.
template <class Measure>
void normalise_backward(const Tensor& x, const Tensor& weight, const Tensor& dy, bool removes_mean,
                        const NormGradients& gradients, const Statistics* kept, Measure measure) {
  const std::size_t width = weight.size();
  const Real count = static_cast<Real>(width);
  std::vector<Real> normal(width), weighted(width);
  for (std::size_t offset = 0; offset < x.size(); offset += width) {
    const Real *in = x.data() + offset, *g = dy.data() + offset, *w = weight.data();
    const auto [center, inverse] = kept ? (*kept)[offset / width] : measure(in, width);
    for (std::size_t i = 0; i < width; ++i) {
      normal[i] = (in[i] - center) * inverse;
      weighted[i] = g[i] * w[i];
    }
    if (gradients.dweight)
      for (std::size_t i = 0; i < width; ++i) gradients.dweight[i] += g[i] * normal[i];
    if (gradients.dbias)
      for (std::size_t i = 0; i < width; ++i) gradients.dbias[i] += g[i];
    if (!gradients.dx) continue;
    const Real mean = removes_mean ? sum(weighted.data(), width) / count : 0;
    const Real along = dot(weighted.data(), normal.data(), width) / count;
    Real* dx = gradients.dx + offset;
    for (std::size_t i = 0; i < width; ++i)
      dx[i] += (weighted[i] - mean - normal[i] * along) * inverse;
  }
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Real epsilon,
                  Statistics* kept) {
  return normalise(x, weight, &bias, kept, [epsilon](const Real* row, std::size_t width) {
    return layer_statistics(row, width, epsilon);
  });
}

void layer_norm_backward(const Tensor& x, const Tensor& weight, Real epsilon, const Tensor& dy,
                         const NormGradients& gradients, const Statistics* kept) {
  normalise_backward(x, weight, dy, true, gradients, kept,
                     [epsilon](const Real* row, std::size_t width) {
                       return layer_statistics(row, width, epsilon);
                     });
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, Real epsilon, Statistics* kept) {
  return normalise(x, weight, nullptr, kept, [epsilon](const Real* row, std::size_t width) {
    return rms_statistics(row, width, epsilon);
  });
}

void rms_norm_backward(const Tensor& x, const Tensor& weight, Real epsilon, const Tensor& dy,
                       const NormGradients& gradients, const Statistics* kept) {
  normalise_backward(x, weight, dy, false, gradients, kept,
                     [epsilon](const Real* row, std::size_t width) {
                       return rms_statistics(row, width, epsilon);
                     });
}

}  // namespace phasor::inline PHASOR_PRECISION::kernel
