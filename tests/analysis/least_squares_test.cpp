#include "phasor/analysis/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "labs/lab04_design/golden.hpp"
#include "phasor/analysis/design.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/rng.hpp"
#include "tests/course/design_golden.hpp"

namespace phasor {
namespace {

using namespace lab04;  // the golden values

xt::xarray<double> chance(const char* purpose, std::size_t rows, std::size_t columns) {
  Rng rng(7, purpose);
  auto values = xt::xarray<double>::from_shape({rows, columns});
  for (double& value : values) value = rng.normal();
  return values;
}

TEST(LeastSquares, FindsTheMatrixThatMadeTheTargets) {
  const xt::xarray<double> rows = chance("rows", 20, 5), matrix = chance("matrix", 3, 5);
  const LinearFit fit = linear_fit(rows, product(rows, transposed(matrix)));
  // Condition of a 20 x 5 table of normal numbers: about 3; sums of 20 products.
  EXPECT_LT(largest_difference(fit.matrix, matrix), 1e-13);
  EXPECT_LT(fit.residual, 1e-14);
  EXPECT_EQ(fit.rank, 5u);
}

TEST(LeastSquares, WhatIsLeftIsAtRightAnglesToEveryColumn) {
  const xt::xarray<double> rows = chance("rows", 30, 6), targets = chance("targets", 30, 2);
  const LinearFit fit = linear_fit(rows, targets);
  const xt::xarray<double> near = product(rows, transposed(fit.matrix));
  xt::xarray<double> left = targets;
  double squares = 0, all = 0;
  for (std::size_t n = 0; n < left.size(); ++n) {
    left.data()[n] -= near.data()[n];
    squares += left.data()[n] * left.data()[n];
    all += targets.data()[n] * targets.data()[n];
  }
  // Sums of 30 products of numbers about 1.
  for (const double dot : product(transposed(rows), left)) EXPECT_NEAR(dot, 0, 1e-13);
  EXPECT_NEAR(fit.residual, std::sqrt(squares / all), 1e-14);
  EXPECT_GT(fit.residual, 0.5);
}

TEST(LeastSquares, LeavesOutColumnsThatSayNothingNew) {
  // The third column is the first minus twice the second, the fourth is zero.
  xt::xarray<double> rows = xt::zeros<double>({8, 4});
  for (std::size_t t = 0; t < 8; ++t) {
    const auto x = static_cast<double>(t);
    rows(t, 0) = std::sin(x);
    rows(t, 1) = std::cos(x);
    rows(t, 2) = std::sin(x) - 2 * std::cos(x);
  }
  const LinearFit fit = linear_fit(rows, rows);
  EXPECT_EQ(fit.rank, 2u);
  EXPECT_LT(fit.residual, 1e-15);
  for (const double entry : fit.matrix) EXPECT_LT(std::abs(entry), 3);
}

TEST(LeastSquares, AColumnThatIsNearlyAnotherStillCounts) {
  xt::xarray<double> rows = xt::zeros<double>({5, 2});
  for (std::size_t t = 0; t < 5; ++t) {
    rows(t, 0) = 1;
    rows(t, 1) = 1 + 1e-9 * static_cast<double>(t * t);
  }
  EXPECT_EQ(linear_fit(rows, rows).rank, 2u);
}

TEST(LeastSquares, ShiftsAsNumPySays) {
  xt::xarray<double> rows = xt::zeros<double>({10, 3}), step = xt::zeros<double>({3, 3});
  xt::xarray<double> two = step;
  std::copy(kGoldenSteps.begin(), kGoldenSteps.end(), rows.begin());
  std::copy(kGoldenStep.begin(), kGoldenStep.end(), step.begin());
  std::copy(kGoldenTwoSteps.begin(), kGoldenTwoSteps.end(), two.begin());
  // The rows shrink by about a fifth at every step, which costs a digit or two.
  EXPECT_LT(largest_difference(shift_fit(rows, 1).matrix, step), 1e-12);
  EXPECT_LT(largest_difference(shift_fit(rows, 2).matrix, two), 1e-12);
}

TEST(LeastSquares, ResidualsOfTheDesignsAreNumPys) {
  const auto left = [](const std::string& design, std::size_t width) {
    return shift_fit(encoding_of(design_named(design).with(), 128, width), 5).residual;
  };
  std::size_t n = 0;
  // Zero in the golden file is less than 1e-12.
  for (const Design& design : designs())
    EXPECT_NEAR(left(design.name, 2), kGoldenResiduals[n++], 1e-12) << design.name;
  EXPECT_NEAR(left("square", 8), kLeft[1], 1e-12);
  // Of four slow pairs a matrix with entries of 1e9 makes the best, which costs nine digits.
  EXPECT_NEAR(left("log", 8), kLeft[3], 1e-9);
  for (const char* exact : {"real", "linear", "one"})
    for (const std::size_t width : {8, 32, 64}) EXPECT_LT(left(exact, width), 1e-12) << exact;
}

TEST(LeastSquares, ResidualOfAGivenMatrix) {
  const xt::xarray<double> rows = {{1, 0}, {0, 1}, {3, 4}};
  // Row 1 is row 0 turned; row 2 would have to be (-1, 0), so (4, 4) is left of (0, 1), (3, 4).
  const xt::xarray<double> turn = {{0, -1}, {1, 0}};
  EXPECT_DOUBLE_EQ(shift_residual(rows, turn, 1), std::sqrt(32.0 / 26.0));
  EXPECT_EQ(shift_residual(rows, identity(2), 0), 0);
  EXPECT_NEAR(shift_residual(rows, shift_fit(rows, 1).matrix, 1), 0, 1e-15);
}

TEST(LeastSquares, RefusesShapesThatDoNotFit) {
  const xt::xarray<double> rows = {{1, 2}, {3, 4}};
  EXPECT_THROW(linear_fit(rows, xt::xarray<double>{{1, 2}}), ShapeError);
  EXPECT_THROW(linear_fit(xt::xarray<double>{1, 2}, rows), ShapeError);
  EXPECT_THROW(shift_fit(rows, 2), ShapeError);
  EXPECT_THROW(shift_residual(rows, identity(3), 1), ShapeError);
  EXPECT_THROW(shift_residual(rows, identity(2), 2), ShapeError);
}

}  // namespace
}  // namespace phasor
