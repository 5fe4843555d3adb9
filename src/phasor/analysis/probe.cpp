#include "phasor/analysis/probe.hpp"

#include <cmath>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// Solves a x = b for a symmetric positive definite a, by Cholesky's a = l l^T.
std::vector<double> solve(Matrix a, std::vector<double> b) {
  const std::size_t d = b.size();
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(a[i][i]) : a[i][j] / a[j][j];
    }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = d; i-- > 0;) {
    for (std::size_t k = i + 1; k < d; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::vector<double> column_means(const xt::xarray<double>& rows) {
  std::vector<double> means(rows.shape(1), 0.0);
  for (std::size_t n = 0; n < rows.shape(0); ++n)
    for (std::size_t c = 0; c < means.size(); ++c) means[c] += rows(n, c);
  for (double& mean : means) mean /= static_cast<double>(rows.shape(0));
  return means;
}

}  // namespace

std::vector<double> LinearProbe::read(const xt::xarray<double>& rows) const {
  check(rows.dimension() == 2 && rows.shape(1) == weights.size(),
        "[probe] rows must be [N, {}], as the probe was fitted", weights.size());
  std::vector<double> values(rows.shape(0), bias);
  for (std::size_t n = 0; n < values.size(); ++n)
    for (std::size_t c = 0; c < weights.size(); ++c) values[n] += rows(n, c) * weights[c];
  return values;
}

LinearProbe fit_probe(const xt::xarray<double>& rows, const std::vector<double>& targets,
                      double ridge) {
  check(rows.dimension() == 2 && rows.shape(0) == targets.size() && rows.size() > 0,
        "[probe] rows must be [{}, d], one for every target", targets.size());
  const std::size_t N = rows.shape(0), d = rows.shape(1);
  const std::vector<double> mean = column_means(rows);
  const double target_mean = mean_of(targets);
  Matrix covariance(d, std::vector<double>(d, 0.0));
  std::vector<double> with_target(d, 0.0), centred(d);
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t c = 0; c < d; ++c) centred[c] = rows(n, c) - mean[c];
    for (std::size_t i = 0; i < d; ++i) {
      with_target[i] += centred[i] * (targets[n] - target_mean);
      for (std::size_t j = 0; j <= i; ++j) covariance[i][j] += centred[i] * centred[j];
    }
  }
  double trace = 0;
  for (std::size_t i = 0; i < d; ++i) trace += covariance[i][i];
  // Rows that are all the same say nothing: any positive number on the diagonal gives weights of 0.
  const double held_back = trace > 0 ? ridge * trace / static_cast<double>(d) : 1;
  for (std::size_t i = 0; i < d; ++i) covariance[i][i] += held_back;
  LinearProbe probe{solve(std::move(covariance), std::move(with_target)), target_mean};
  for (std::size_t c = 0; c < d; ++c) probe.bias -= mean[c] * probe.weights[c];
  return probe;
}

double mean_absolute_error(const std::vector<double>& a, const std::vector<double>& b) {
  check(a.size() == b.size() && !a.empty(), "[probe] {} values against {}", a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace phasor
