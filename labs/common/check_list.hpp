// Checks as values: a lab prints them, and a test feeds them wrong solutions.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/analysis/matrix.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {

/// Passes when |measured - expected| <= tolerance.
struct ListedCheck {
  std::string what;
  double measured = 0, tolerance = 0, expected = 0;
  bool is_statement = false;  ///< it holds or not, and its numbers say nothing
  std::string where = {};     ///< of a comparison that fails
  bool passes() const { return std::abs(measured - expected) <= tolerance; }
};

/// What to look for when a check with `part` in its name fails.
struct Cause {
  std::string_view part, look_for;
};

/// Empty when none is known.
inline std::string_view cause_of(std::string_view what, std::span<const Cause> causes) {
  for (const Cause& cause : causes)
    if (what.find(cause.part) != std::string_view::npos) return cause.look_for;
  return "";
}

/// What `measure` gives, infinity when it throws: a solution that throws fails its check.
inline double measured_or_infinite(const std::function<double()>& measure) try {
  return measure();
} catch (const std::exception&) {
  return std::numeric_limits<double>::infinity();
}

/// "[1, 2]" of the entry with this index in memory.
inline std::string place_of(std::size_t index, const xt::xarray<double>& values) {
  if (values.dimension() != 2) return fmt::format("[{}]", index);
  return fmt::format("[{}, {}]", index / values.shape(1), index % values.shape(1));
}

/// `values` against the `wanted`, entry by entry; where those are NaN, anything may stand. Measured
/// is the largest difference, infinite when the shape is another one or `values` throws.
inline ListedCheck comparison(std::string what, const std::function<xt::xarray<double>()>& values,
                              const xt::xarray<double>& wanted, double tolerance) {
  ListedCheck check{.what = std::move(what), .tolerance = tolerance};
  check.measured = measured_or_infinite([&] {
    const xt::xarray<double> found = values();
    if (found.shape() != wanted.shape()) return std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double value = found.data()[i], other = wanted.data()[i];
      if (std::isnan(other)) continue;
      const double difference = std::abs(value - other);
      most = larger(most, difference);
      if (!(difference <= tolerance) && check.where.empty())
        check.where = fmt::format("first at {}: {:.10g}, wanted is {:.10g}", place_of(i, found),
                                  value, other);
    }
    return most;
  });
  return check;
}

/// 0 when `call` throws, as it should, and 1 when it does not.
inline double accepted(const std::function<void()>& call) try {
  call();
  return 1;
} catch (const std::exception&) {
  return 0;
}

/// `what`, such as "an odd width is refused": passes when `call` throws.
inline ListedCheck refusal(std::string what, const std::function<void()>& call) {
  return {.what = std::move(what), .measured = accepted(call), .is_statement = true};
}

/// Why `values` of the function `name` are not `shape` finite numbers: "f(x) gives 3 x 2, wanted
/// is 4 x 2", "f(x)[1, 0] is nan". Empty when they are.
inline std::string array_problem(std::string_view name, const xt::xarray<double>& values,
                                 const std::vector<std::size_t>& shape) {
  if (!std::equal(shape.begin(), shape.end(), values.shape().begin(), values.shape().end()))
    return fmt::format("{} gives {}, wanted is {}", name,
                       values.dimension() == 0
                           ? "a single number"
                           : fmt::format("{}", fmt::join(values.shape(), " x ")),
                       fmt::join(shape, " x "));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values.data()[i];
    if (std::isfinite(value)) continue;
    return fmt::format("{}{} is {}", name, place_of(i, values), value);
  }
  return "";
}

/// The first that is not empty; empty when all are.
inline std::string first_problem(std::initializer_list<std::string> problems) {
  for (const std::string& problem : problems)
    if (!problem.empty()) return problem;
  return "";
}

/// Golden values, row by row, as a matrix.
inline xt::xarray<double> matrix_of(std::span<const double> values, std::size_t columns) {
  xt::xarray<double> matrix = xt::zeros<double>({values.size() / columns, columns});
  std::copy(values.begin(), values.end(), matrix.begin());
  return matrix;
}

/// Golden values as a vector.
inline xt::xarray<double> vector_of(std::span<const double> values) {
  xt::xarray<double> vector = xt::zeros<double>({values.size()});
  std::copy(values.begin(), values.end(), vector.begin());
  return vector;
}

/// Hands every check to the lab (lab.hpp), which prints and counts them.
template <class Lab>
void print_checks(Lab& lab, const std::vector<ListedCheck>& checks, std::span<const Cause> causes) {
  for (const ListedCheck& check : checks) {
    const std::string_view cause = cause_of(check.what, causes);
    if (check.is_statement)
      lab.check(check.what, check.passes(), check.passes() ? "" : "it is not", cause);
    else
      lab.check(check.what, check.measured, check.expected, check.tolerance, cause, check.where);
  }
}

}  // namespace phasor
