// Checks as values: a lab prints them, and a test feeds them wrong solutions.
#pragma once
#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>
#include <xtensor/xarray.hpp>

#include "phasor/analysis/matrix.hpp"
#include "phasor/core/larger.hpp"

namespace phasor {

/// Passes when |measured - expected| <= tolerance.
struct ListedCheck {
  std::string what;
  double measured = 0, tolerance = 0, expected = 0;
  bool passes() const { return std::abs(measured - expected) <= tolerance; }
};

/// What `measure` gives, infinity when it throws: a solution that throws fails its check.
inline double measured_or_infinite(const std::function<double()>& measure) try {
  return measure();
} catch (const std::exception&) {
  return std::numeric_limits<double>::infinity();
}

/// 0 when `call` throws, as it should, and 1 when it does not.
inline double accepted(const std::function<void()>& call) try {
  call();
  return 1;
} catch (const std::exception&) {
  return 0;
}

/// Whether there are so many rows and columns, and every number is finite.
inline bool is_finite_matrix(const xt::xarray<double>& values, std::size_t rows,
                             std::size_t columns) {
  return values.dimension() == 2 && values.shape(0) == rows && values.shape(1) == columns &&
         std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

/// Golden values, row by row, as a matrix.
inline xt::xarray<double> matrix_of(std::span<const double> values, std::size_t columns) {
  xt::xarray<double> matrix = xt::zeros<double>({values.size() / columns, columns});
  std::copy(values.begin(), values.end(), matrix.begin());
  return matrix;
}

/// Hands every check to the lab (lab.hpp), which prints and counts them.
template <class Lab>
void print_checks(Lab& lab, const std::vector<ListedCheck>& checks) {
  for (const ListedCheck& check : checks)
    lab.check(check.what, check.measured, check.expected, check.tolerance);
}

}  // namespace phasor
