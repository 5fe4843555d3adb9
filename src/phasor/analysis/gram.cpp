#include "phasor/analysis/gram.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phasor/analysis/least_squares.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"

namespace phasor {

xt::xarray<double> column_cosines(const xt::xarray<double>& columns) {
  check(columns.dimension() == 2, "[column_cosines] wants 2 axes, got {}", columns.dimension());
  const xt::xarray<double> gram = product(transposed(columns), columns);
  xt::xarray<double> cosines = gram;
  for (std::size_t i = 0; i < gram.shape(0); ++i)
    for (std::size_t j = 0; j < gram.shape(1); ++j) {
      const double lengths = std::sqrt(gram(i, i) * gram(j, j));
      cosines(i, j) = i == j ? 1 : lengths > 0 ? gram(i, j) / lengths : 0;
    }
  return cosines;
}

xt::xarray<double> rebuilt_impulse(const xt::xarray<double>& columns, std::size_t place) {
  check(columns.dimension() == 2 && place < columns.shape(0),
        "[rebuilt_impulse] wants 2 axes and more than {} rows, got {} axes", place,
        columns.dimension());
  xt::xarray<double> impulse = xt::zeros<double>({columns.shape(0), std::size_t{1}});
  impulse(place, 0) = 1;
  const LinearFit fit = linear_fit(columns, impulse);
  xt::xarray<double> rebuilt = product(columns, transposed(fit.matrix));
  rebuilt.reshape({columns.shape(0)});
  return rebuilt;
}

Frame frame_of(const xt::xarray<double>& columns) {
  const xt::xarray<double> cosines = column_cosines(columns);
  Frame frame{0, 0, 0};
  for (std::size_t i = 0; i < cosines.shape(0); ++i)
    for (std::size_t j = 0; j < i; ++j)
      frame.largest_cosine = std::max(frame.largest_cosine, std::abs(cosines(i, j)));
  xt::xarray<double> impulse = xt::zeros<double>({columns.shape(0), std::size_t{1}});
  impulse(columns.shape(0) / 2, 0) = 1;
  const LinearFit fit = linear_fit(columns, impulse);
  frame.rank = fit.rank;
  frame.impulse_energy = 1 - fit.residual * fit.residual;
  return frame;
}

AngleFunction fourier_angle(std::size_t positions) {
  return [step = 2 * std::numbers::pi / static_cast<double>(positions)](
             std::size_t p, std::size_t k, std::size_t) {
    return step * static_cast<double>(k + 1) * static_cast<double>(p);
  };
}

}  // namespace phasor
