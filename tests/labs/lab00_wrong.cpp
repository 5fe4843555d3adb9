// What lab 00's guide begins with, in place of its solution. With the environment variable
// PHASOR_MISTAKE set, attention has another shape than it should.
#include <cstdlib>

#include "labs/lab00_order/exercise.hpp"

xt::xarray<double> attention(const xt::xarray<double>& Q, const xt::xarray<double>& K,
                             const xt::xarray<double>& V, const xt::xarray<double>&) {
  const std::size_t rows = std::getenv("PHASOR_MISTAKE") ? K.shape(0) : Q.shape(0);
  return xt::zeros<double>({rows, V.shape(1)});
}

xt::xarray<double> permute(const xt::xarray<double>& x, const std::vector<std::size_t>&) {
  return x;
}
