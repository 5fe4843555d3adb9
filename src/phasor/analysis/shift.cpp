#include "phasor/analysis/shift.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"

namespace phasor {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// For each pair the square of the length of PE(p + k) - M_k PE(p). M_k has two entries in a row
/// that are not zero, so its other terms add nothing.
template <class Number>
std::vector<Number> squared_errors(double p, double k, std::size_t width, double base) {
  const auto from = static_cast<Number>(p), to = static_cast<Number>(p + k);
  std::vector<Number> errors(width / 2);
  for (std::size_t c = 0; c < errors.size(); ++c) {
    const Number exponent = static_cast<Number>(2 * c) / static_cast<Number>(width);
    const Number w = 1 / std::pow(static_cast<Number>(base), exponent);
    const Number cosine = std::cos(static_cast<Number>(k) * w);
    const Number sine = std::sin(static_cast<Number>(k) * w);
    const Number x = std::sin(from * w), y = std::cos(from * w);
    const Number dx = std::sin(to * w) - (cosine * x + sine * y);
    const Number dy = std::cos(to * w) - (cosine * y - sine * x);
    errors[c] = dx * dx + dy * dy;
  }
  return errors;
}

template <class Number>
double shift_error(double p, double k, std::size_t width, double base) {
  const std::vector<Number> errors = squared_errors<Number>(p, k, width, base);
  return static_cast<double>(std::sqrt(std::accumulate(errors.begin(), errors.end(), Number{0})));
}

}  // namespace

xt::xarray<double> sinusoidal_shift(double k, std::size_t width, double base) {
  const std::vector<double> w = frequencies(width, base);
  xt::xarray<double> result = xt::zeros<double>({width, width});
  for (std::size_t c = 0; c < w.size(); ++c) {
    const double cosine = std::cos(k * w[c]), sine = std::sin(k * w[c]);
    result(2 * c, 2 * c) = cosine;
    result(2 * c, 2 * c + 1) = sine;
    result(2 * c + 1, 2 * c) = -sine;
    result(2 * c + 1, 2 * c + 1) = cosine;
  }
  return result;
}

xt::xarray<double> moved(const xt::xarray<double>& rows, const xt::xarray<double>& matrix) {
  return product(rows, transposed(matrix));
}

double shift_error_in_float(double p, double k, std::size_t width, double base) {
  return shift_error<float>(p, k, width, base);
}

std::vector<double> shift_errors_by_pair_in_float(double p, double k, std::size_t width,
                                                  double base) {
  std::vector<double> result;
  for (const float squared : squared_errors<float>(p, k, width, base))
    result.push_back(std::sqrt(static_cast<double>(squared)));
  return result;
}

double shift_error_in_double(double p, double k, std::size_t width, double base) {
  return shift_error<double>(p, k, width, base);
}

std::vector<double> turns_between(const xt::xarray<double>& rows, std::size_t from,
                                  std::size_t to) {
  check(rows.dimension() == 2 && rows.shape(1) % 2 == 0 && std::max(from, to) < rows.shape(0),
        "[turns_between] wants rows {} and {} of pairs, got {}", from, to,
        fmt::join(rows.shape(), " x "));
  std::vector<double> result(rows.shape(1) / 2);
  for (std::size_t c = 0; c < result.size(); ++c) {
    const double x = rows(from, 2 * c), y = rows(from, 2 * c + 1);
    const double u = rows(to, 2 * c), v = rows(to, 2 * c + 1);
    const double angle = std::atan2(u * y - v * x, u * x + v * y);
    result[c] = angle < 0 ? angle + kTurn : angle;
  }
  return result;
}

double angle_between(double a, double b) { return std::abs(std::remainder(a - b, kTurn)); }

}  // namespace phasor
