// One solution. To do the lab, write your own; README.md beside this file says how to begin.
#include <cmath>
#include <stdexcept>

#include "labs/lab04_design/exercise.hpp"
#include "phasor/tensor/xtensor.hpp"

#include PHASOR_XLINALG

double angles(const std::string& design, std::size_t p, std::size_t k, std::size_t d) {
  const auto position = static_cast<double>(p), pair = static_cast<double>(k);
  const double w = std::pow(10000.0, -2 * pair / static_cast<double>(d));
  if (design == "real") return position * w;
  if (design == "linear") return position * (pair + 1) / (static_cast<double>(d) / 2);
  if (design == "one") return position;
  if (design == "square") return position * position * w;
  if (design == "log") return std::log(1 + position) * w;
  if (design == "inverse") return w / (1 + position);
  throw std::invalid_argument("angles: there is no design '" + design + "'");
}

xt::xarray<double> fit_shift(const xt::xarray<double>& pe, std::size_t k) {
  const std::size_t rows = pe.shape(0) - k;
  const xt::xarray<double> from = xt::view(pe, xt::range(0, rows), xt::all());
  const xt::xarray<double> to = xt::view(pe, xt::range(k, k + rows), xt::all());
  // Rows are positions, so this solves from X = to, and X is M transposed. Singular values below
  // 1e-13 of the largest are rounding.
  const xt::xarray<double> transposed = std::get<0>(xt::linalg::lstsq(from, to, 1e-13));
  return xt::transpose(transposed);
}
