// One solution. To do the lab, write your own; README.md beside this file says how to begin.
#include <algorithm>
#include <cmath>
#include <limits>

#include "labs/lab00_order/exercise.hpp"

namespace {

double dot(const xt::xarray<double>& a, std::size_t i, const xt::xarray<double>& b, std::size_t j) {
  double sum = 0;
  for (std::size_t c = 0; c < a.shape(1); ++c) sum += a(i, c) * b(j, c);
  return sum;
}

}  // namespace

xt::xarray<double> attention(const xt::xarray<double>& Q, const xt::xarray<double>& K,
                             const xt::xarray<double>& V, const xt::xarray<double>& mask) {
  const std::size_t queries = Q.shape(0), keys = K.shape(0), width = V.shape(1);
  const double scale = 1 / std::sqrt(static_cast<double>(Q.shape(1)));
  xt::xarray<double> result = xt::zeros<double>({queries, width});
  std::vector<double> weights(keys);
  for (std::size_t t = 0; t < queries; ++t) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t s = 0; s < keys; ++s) {
      weights[s] = scale * dot(Q, t, K, s);
      if (mask(t, s) != 0) largest = std::max(largest, weights[s]);
    }
    // With the largest logit subtracted no exponential overflows, and the quotient is the same.
    for (std::size_t s = 0; s < keys; ++s)
      sum += weights[s] = mask(t, s) != 0 ? std::exp(weights[s] - largest) : 0;
    for (std::size_t s = 0; s < keys; ++s)
      for (std::size_t c = 0; c < width; ++c) result(t, c) += weights[s] / sum * V(s, c);
  }
  return result;
}

xt::xarray<double> permute(const xt::xarray<double>& x, const std::vector<std::size_t>& order) {
  xt::xarray<double> result = xt::zeros_like(x);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t c = 0; c < x.shape(1); ++c) result(i, c) = x(order[i], c);
  return result;
}
