#include "phasor/course/shift/laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phasor/analysis/matrix.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {
namespace {

xt::xarray<double> rows_of(const xt::xarray<double>& pe, std::size_t first, std::size_t count) {
  return xt::view(pe, xt::range(first, first + count), xt::all());
}

}  // namespace

ShiftLaws shift_laws(int k, const Evidence& evidence, int a) {
  const auto matrix = [&](int offset) { return evidence.shift(offset, kShiftWidth, kShiftBase); };
  const std::size_t to = kShiftFrom + static_cast<std::size_t>(k);
  const xt::xarray<double> pe = evidence.encode(to + 1, kShiftWidth, kShiftBase);
  const xt::xarray<double> m = matrix(k), back = matrix(-k), mt = transposed(m);
  const xt::xarray<double> one = identity(kShiftWidth);
  const auto off = [](const xt::xarray<double>& x, const xt::xarray<double>& y) {
    return largest_difference(x, y);
  };
  const double det = std::abs(determinant(m) - 1);
  return {.shift = off(rows_of(pe, to, 1), moved(rows_of(pe, kShiftFrom, 1), m)),
          .orthogonal = larger(off(product(mt, m), one), off(product(m, mt), one)),
          .determinant = std::isnan(det) ? std::numeric_limits<double>::infinity() : det,
          .group = off(product(matrix(a), m), matrix(a + k)),
          .inverse = larger(off(back, mt), off(product(back, m), one))};
}

double worst_over_shifts(double ShiftLaws::*law, const Evidence& evidence) {
  double largest = 0;
  for (const int k : kShifts) largest = larger(largest, shift_laws(k, evidence).*law);
  return largest;
}

double shift_error_over(std::size_t positions, int k, const Evidence& evidence) {
  const auto offset = static_cast<std::size_t>(k);
  const xt::xarray<double> pe = evidence.encode(positions + offset, kShiftWidth, kShiftBase);
  return largest_difference(
      rows_of(pe, offset, positions),
      moved(rows_of(pe, 0, positions), evidence.shift(k, kShiftWidth, kShiftBase)));
}

xt::xarray<double> look_back_logits(int k, std::size_t positions, const Evidence& evidence) {
  const xt::xarray<double> pe = evidence.encode(positions, kShiftWidth, kShiftBase);
  return product(moved(pe, evidence.shift(-k, kShiftWidth, kShiftBase)), transposed(pe));
}

}  // namespace phasor
