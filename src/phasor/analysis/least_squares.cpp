#include "phasor/analysis/least_squares.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"

namespace phasor {
namespace {

using Column = std::vector<double>;

double dot(const Column& a, const Column& b) {
  double sum = 0;
  for (std::size_t t = 0; t < a.size(); ++t) sum += a[t] * b[t];
  return sum;
}

double length(const Column& a) { return std::sqrt(dot(a, a)); }

std::vector<Column> columns_of(const xt::xarray<double>& matrix) {
  std::vector<Column> columns(matrix.shape(1), Column(matrix.shape(0)));
  for (std::size_t t = 0; t < matrix.shape(0); ++t)
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i][t] = matrix(t, i);
  return columns;
}

/// Takes the direction `q`, of length 1, out of `column` and returns how much of it there was.
double take_out(const Column& q, Column& column) {
  const double share = dot(q, column);
  for (std::size_t t = 0; t < q.size(); ++t) column[t] -= share * q[t];
  return share;
}

/// columns[order[j]] = sum over i <= j of basis[i] upper[i][j], for j < basis.size().
struct Factors {
  std::vector<Column> basis;
  std::vector<std::size_t> order;
  std::vector<std::vector<double>> upper;
};

constexpr double kNothingLeft = 1e-13;

Factors factors_of(std::vector<Column> columns) {
  const std::size_t count = columns.size();
  Factors f;
  f.upper.assign(count, std::vector<double>(count, 0));
  for (std::size_t i = 0; i < count; ++i) f.order.push_back(i);
  double longest = 0;
  for (std::size_t step = 0; step < count; ++step) {
    std::size_t best = step;
    for (std::size_t j = step + 1; j < count; ++j)
      if (length(columns[f.order[j]]) > length(columns[f.order[best]])) best = j;
    std::swap(f.order[step], f.order[best]);
    for (std::size_t i = 0; i < step; ++i) std::swap(f.upper[i][step], f.upper[i][best]);
    Column q = columns[f.order[step]];
    // Once more against all before it: rounding leaves a little of them in a short column.
    for (std::size_t i = 0; i < step; ++i) f.upper[i][step] += take_out(f.basis[i], q);
    const double rest = length(q);
    longest = std::max(longest, rest);
    if (!(rest > kNothingLeft * longest)) break;
    for (double& value : q) value /= rest;
    f.upper[step][step] = rest;
    for (std::size_t j = step + 1; j < count; ++j)
      f.upper[step][j] = take_out(q, columns[f.order[j]]);
    f.basis.push_back(std::move(q));
  }
  return f;
}

/// The coefficients of one target, from the last column of the triangle to the first.
std::vector<double> solved(const Factors& f, std::vector<double> shares) {
  std::vector<double> result(f.order.size(), 0);
  for (std::size_t i = shares.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < shares.size(); ++j)
      shares[i] -= f.upper[i][j] * result[f.order[j]];
    result[f.order[i]] = shares[i] / f.upper[i][i];
  }
  return result;
}

}  // namespace

LinearFit linear_fit(const xt::xarray<double>& rows, const xt::xarray<double>& targets) {
  check(rows.dimension() == 2 && targets.dimension() == 2 && rows.shape(0) == targets.shape(0) &&
            rows.size() > 0 && targets.size() > 0,
        "[linear_fit] wants [T, d] and [T, e], got {} and {}", fmt::join(rows.shape(), " x "),
        fmt::join(targets.shape(), " x "));
  const Factors f = factors_of(columns_of(rows));
  LinearFit fit{xt::zeros<double>({targets.shape(1), rows.shape(1)}), 0, f.basis.size()};
  double left = 0, all = 0;
  std::vector<Column> wanted = columns_of(targets);
  for (std::size_t e = 0; e < wanted.size(); ++e) {
    all += dot(wanted[e], wanted[e]);
    std::vector<double> shares;
    for (const Column& q : f.basis) shares.push_back(take_out(q, wanted[e]));
    left += dot(wanted[e], wanted[e]);
    const std::vector<double> coefficients = solved(f, shares);
    for (std::size_t i = 0; i < coefficients.size(); ++i) fit.matrix(e, i) = coefficients[i];
  }
  fit.residual = all > 0 ? std::sqrt(left / all) : 0;
  return fit;
}

LinearFit shift_fit(const xt::xarray<double>& rows, std::size_t k) {
  check(rows.dimension() == 2 && k < rows.shape(0),
        "[shift_fit] wants more rows than the {} they move, got {}", k,
        fmt::join(rows.shape(), " x "));
  const std::size_t count = rows.shape(0) - k, width = rows.shape(1);
  auto from = xt::xarray<double>::from_shape({count, width});
  auto to = xt::xarray<double>::from_shape({count, width});
  std::copy_n(rows.data(), count * width, from.data());
  std::copy_n(rows.data() + k * width, count * width, to.data());
  return linear_fit(from, to);
}

double shift_residual(const xt::xarray<double>& rows, const xt::xarray<double>& matrix,
                      std::size_t k) {
  check(rows.dimension() == 2 && k < rows.shape(0) && matrix.dimension() == 2 &&
            matrix.shape(0) == rows.shape(1) && matrix.shape(1) == rows.shape(1),
        "[shift_residual] wants [T, d] with T above {} and [d, d], got {} and {}", k,
        fmt::join(rows.shape(), " x "), fmt::join(matrix.shape(), " x "));
  const std::size_t width = rows.shape(1);
  double left = 0, all = 0;
  for (std::size_t p = 0; p + k < rows.shape(0); ++p)
    for (std::size_t i = 0; i < width; ++i) {
      double moved = 0;
      for (std::size_t j = 0; j < width; ++j) moved += matrix(i, j) * rows(p, j);
      const double target = rows(p + k, i);
      left += (target - moved) * (target - moved);
      all += target * target;
    }
  return all > 0 ? std::sqrt(left / all) : 0;
}

}  // namespace phasor
