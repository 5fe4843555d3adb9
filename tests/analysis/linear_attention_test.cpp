#include "phasor/analysis/linear_attention.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/course/claim.hpp"
#include "tests/analysis/linear_attention_golden.hpp"

namespace phasor {
namespace {

namespace golden = linear_attention_golden;

// Sums of at most 24 products of numbers of order one, in another order than NumPy's: some 1e-15.
constexpr double kRounding = 1e-13;

xt::xarray<double> rows_of(const std::vector<double>& values, std::size_t width) {
  xt::xarray<double> rows = xt::zeros<double>({values.size() / width, width});
  std::copy(values.begin(), values.end(), rows.begin());
  return rows;
}

void expect_near(const xt::xarray<double>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(values.data()[i], expected[i], kRounding) << i;
}

const xt::xarray<double> kQueries = elu_features(rows_of(golden::kQueries, 6));
const xt::xarray<double> kKeys = elu_features(rows_of(golden::kKeys, 6));
const xt::xarray<double> kValues = rows_of(golden::kValues, 2);

TEST(LinearAttention, FeaturesArePositive) {
  const xt::xarray<double> rows = {{-2, 0, 3}};
  const xt::xarray<double> elu = elu_features(rows), exp = exp_features(rows);
  EXPECT_EQ(elu(0, 0), std::exp(-2));
  EXPECT_EQ(elu(0, 1), 1);
  EXPECT_EQ(elu(0, 2), 4);
  EXPECT_EQ(exp(0, 0), std::exp(-2));
  EXPECT_EQ(exp(0, 2), std::exp(3));
}

TEST(LinearAttention, CarriedSumsAreThoseOfAllPairs) {
  const KernelSums sums = kernel_sums(kQueries, kKeys, kValues);
  expect_near(sums.numerators, golden::kNumerators);
  expect_near(rows_of(sums.denominators, 1), golden::kDenominators);
}

TEST(LinearAttention, RotatedNumeratorOverUnrotatedDenominator) {
  const std::vector<double> positions = {0, 1, 2, 3};
  const KernelSums plain = kernel_sums(kQueries, kKeys, kValues);
  const KernelSums turned =
      kernel_sums(rotated(kQueries, positions, 50), rotated(kKeys, positions, 50), kValues);
  expect_near(turned.numerators, golden::kTurnedNumerators);
  expect_near(rows_of(turned.denominators, 1), golden::kTurnedDenominators);
  xt::xarray<double> outputs = turned.numerators;
  for (std::size_t m = 0; m < 4; ++m)
    for (std::size_t e = 0; e < 2; ++e) outputs(m, e) /= plain.denominators[m];
  expect_near(outputs, golden::kOutputs);
}

TEST(LinearAttention, ALaterKeyChangesNothingBefore) {
  xt::xarray<double> keys = kKeys;
  keys(3, 0) += 1;
  const KernelSums before = kernel_sums(kQueries, kKeys, kValues);
  const KernelSums after = kernel_sums(kQueries, keys, kValues);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(before.denominators[m], after.denominators[m]);
  EXPECT_NE(before.denominators[3], after.denominators[3]);
}

TEST(LinearAttention, RefusesShapesThatDoNotFit) {
  const xt::xarray<double> other = xt::ones<double>({3, 6});
  EXPECT_THROW(kernel_sums(kQueries, other, kValues), ShapeError);
  EXPECT_THROW(kernel_sums(kQueries, kKeys, other), ShapeError);
}

}  // namespace
}  // namespace phasor
