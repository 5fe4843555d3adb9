#include "phasor/analysis/probe.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/tensor/xtensor.hpp"

#include PHASOR_XLINALG

namespace phasor {
namespace {

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
  xt::xarray<double> covariance = xt::zeros<double>({d, d}), with_target = xt::zeros<double>({d});
  std::vector<double> centred(d);
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t c = 0; c < d; ++c) centred[c] = rows(n, c) - mean[c];
    for (std::size_t i = 0; i < d; ++i) {
      with_target(i) += centred[i] * (targets[n] - target_mean);
      for (std::size_t j = 0; j < d; ++j) covariance(i, j) += centred[i] * centred[j];
    }
  }
  double trace = 0;
  for (std::size_t i = 0; i < d; ++i) trace += covariance(i, i);
  // Rows that are all the same say nothing: any positive number on the diagonal gives weights of 0.
  const double held_back = trace > 0 ? ridge * trace / static_cast<double>(d) : 1;
  for (std::size_t i = 0; i < d; ++i) covariance(i, i) += held_back;
  const xt::xarray<double> weights = xt::linalg::solve(covariance, with_target);
  LinearProbe probe{{weights.begin(), weights.end()}, target_mean};
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
