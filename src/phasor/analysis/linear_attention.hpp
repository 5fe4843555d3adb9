// Attention without a softmax: a product of features, so that sums over keys can be carried along.
#pragma once
#include <vector>

#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// elu(x) + 1: x + 1 above zero, e^x below. Katharopoulos et al. (2020), equation 7.
xt::xarray<double> elu_features(const xt::xarray<double>& rows);

/// e^x, element by element.
xt::xarray<double> exp_features(const xt::xarray<double>& rows);

/// What causal linear attention adds up. Its output is numerators(m) / denominators[m].
struct KernelSums {
  xt::xarray<double> numerators;     ///< [T, E]: sum over n <= m of (q_m . k_n) v_n
  std::vector<double> denominators;  ///< [T]: sum over n <= m of q_m . k_n
};

/// queries, keys: [T, D] features; values: [T, E]. The sums of k_n v_n^T and of k_n are carried
/// from position to position, so that the work grows with T and not with its square. Katharopoulos
/// et al. (2020), arXiv 2006.16236, equations 8 to 12. Throws ShapeError.
///
/// With a rotation, Su et al. (2021), equation 19, takes the numerators of turned features and the
/// denominators of features that were not turned.
KernelSums kernel_sums(const xt::xarray<double>& queries, const xt::xarray<double>& keys,
                       const xt::xarray<double>& values);

}  // namespace phasor
