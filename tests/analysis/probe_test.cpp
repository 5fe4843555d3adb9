#include "phasor/analysis/probe.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/core/rng.hpp"
#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

xt::xarray<double> random_rows(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Rng rng(seed, "rows");
  auto result = xt::xarray<double>::from_shape({rows, columns});
  for (double& value : result) value = rng.normal();
  return result;
}

/// Rows of one number each.
xt::xarray<double> column(const std::vector<double>& values) {
  auto rows = xt::xarray<double>::from_shape({values.size(), 1});
  std::copy(values.begin(), values.end(), rows.begin());
  return rows;
}

TEST(Probe, FindsALinearMap) {
  const xt::xarray<double> rows = random_rows(50, 3, 1), others = random_rows(20, 3, 2);
  const auto value = [](const xt::xarray<double>& x, std::size_t n) {
    return 3 * x(n, 0) - 2 * x(n, 2) + 5;
  };
  std::vector<double> targets, wanted;
  for (std::size_t n = 0; n < 50; ++n) targets.push_back(value(rows, n));
  for (std::size_t n = 0; n < 20; ++n) wanted.push_back(value(others, n));
  const LinearProbe probe = fit_probe(rows, targets);
  // The ridge of 1e-9 pulls the weights by that share of them; nothing else is in the way.
  EXPECT_NEAR(probe.weights[0], 3, 1e-7);
  EXPECT_NEAR(probe.weights[1], 0, 1e-7);
  EXPECT_NEAR(probe.weights[2], -2, 1e-7);
  EXPECT_NEAR(probe.bias, 5, 1e-7);
  EXPECT_LT(mean_absolute_error(probe.read(others), wanted), 1e-7);
}

TEST(Probe, IsLeastSquaresWhereNothingFits) {
  // y = 0, 1, 5 at x = 0, 1, 2: slope 5/2, mean 2 at x = 1.
  const LinearProbe probe = fit_probe(column({0, 1, 2}), {0, 1, 5});
  EXPECT_NEAR(probe.weights[0], 2.5, 1e-7);
  EXPECT_NEAR(probe.bias, -0.5, 1e-7);
}

TEST(Probe, ReadsTheMeanFromRowsThatSayNothing) {
  const LinearProbe probe = fit_probe(xt::ones<double>({4, 3}), {1, 2, 3, 6});
  EXPECT_EQ(probe.read(xt::ones<double>({1, 3})), std::vector<double>{3});
}

TEST(Probe, LivesWithColumnsThatSayTheSame) {
  xt::xarray<double> rows = random_rows(40, 2, 3);
  std::vector<double> targets;
  for (std::size_t n = 0; n < 40; ++n) {
    rows(n, 1) = -2 * rows(n, 0);
    targets.push_back(10 * rows(n, 0));
  }
  EXPECT_LT(mean_absolute_error(fit_probe(rows, targets).read(rows), targets), 1e-6);
}

/// Two columns that do not overlap, sums of squares 2 and 8, so the mean over the two is 5; a ridge
/// of 0.4 adds 0.4 * 5 = 2 to each. Products with the targets: 8 and 40.
TEST(Probe, RidgeIsAShareOfTheMeanVariance) {
  const xt::xarray<double> rows = {{1, 0}, {-1, 0}, {0, 2}, {0, -2}};
  const LinearProbe probe = fit_probe(rows, {4, -4, 10, -10}, 0.4);
  EXPECT_NEAR(probe.weights[0], 8.0 / (2 + 2), 1e-14);
  EXPECT_NEAR(probe.weights[1], 40.0 / (8 + 2), 1e-14);
  EXPECT_NEAR(probe.bias, 0, 1e-14);
}

TEST(Probe, RefusesSizesThatDoNotFit) {
  expect_error<ShapeError>([] { fit_probe(xt::ones<double>({4, 3}), {1, 2}); }, "[2, d]");
  const LinearProbe probe = fit_probe(column({0, 1}), {0, 1});
  expect_error<ShapeError>([&] { probe.read(xt::ones<double>({4, 3})); }, "[N, 1]");
  expect_error<ShapeError>([] { mean_absolute_error({1}, {1, 2}); }, "1 values against 2");
}

TEST(Probe, MeanAbsoluteErrorOfTwoLists) {
  EXPECT_EQ(mean_absolute_error({1, 2, 3}, {2, 2, 0}), 4.0 / 3);
}

}  // namespace
}  // namespace phasor
