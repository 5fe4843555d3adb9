#include "phasor/analysis/linear_attention.hpp"

#include <cmath>

#include "phasor/core/error.hpp"

namespace phasor {

xt::xarray<double> elu_features(const xt::xarray<double>& rows) {
  xt::xarray<double> features = rows;
  for (double& x : features) x = x > 0 ? x + 1 : std::exp(x);
  return features;
}

xt::xarray<double> exp_features(const xt::xarray<double>& rows) {
  xt::xarray<double> features = rows;
  for (double& x : features) x = std::exp(x);
  return features;
}

KernelSums kernel_sums(const xt::xarray<double>& queries, const xt::xarray<double>& keys,
                       const xt::xarray<double>& values) {
  check(queries.dimension() == 2 && keys.shape() == queries.shape() && values.dimension() == 2 &&
            values.shape(0) == queries.shape(0),
        "[kernel_sums] queries and keys must be [T, D] and values [T, E]; got {}, {} and {} axes",
        queries.dimension(), keys.dimension(), values.dimension());
  const std::size_t T = queries.shape(0), D = queries.shape(1), E = values.shape(1);
  xt::xarray<double> products = xt::zeros<double>({D, E});  // of keys and values, so far
  std::vector<double> key_sum(D, 0.0);
  KernelSums sums{xt::zeros<double>({T, E}), std::vector<double>(T, 0.0)};
  for (std::size_t m = 0; m < T; ++m)
    for (std::size_t c = 0; c < D; ++c) {
      key_sum[c] += keys(m, c);
      sums.denominators[m] += queries(m, c) * key_sum[c];
      for (std::size_t e = 0; e < E; ++e) {
        products(c, e) += keys(m, c) * values(m, e);
        sums.numerators(m, e) += queries(m, c) * products(c, e);
      }
    }
  return sums;
}

}  // namespace phasor
