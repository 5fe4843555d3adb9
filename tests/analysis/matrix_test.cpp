#include "phasor/analysis/matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

const xt::xarray<double> kA = {{1, 2, 3}, {4, 5, 6}};
const xt::xarray<double> kB = {{1, 0}, {2, -1}, {0, 3}};

TEST(Matrix, ProductAndTranspose) {
  EXPECT_EQ(product(kA, kB), (xt::xarray<double>{{5, 7}, {14, 13}}));
  EXPECT_EQ(transposed(kA), (xt::xarray<double>{{1, 4}, {2, 5}, {3, 6}}));
  EXPECT_EQ(product(kA, identity(3)), kA);
  EXPECT_THROW(product(kA, kA), ShapeError);
  EXPECT_THROW(product(xt::xarray<double>{1, 2}, kA), ShapeError);
  EXPECT_THROW(transposed(xt::xarray<double>{1, 2}), ShapeError);
}

TEST(Matrix, Determinant) {
  // Small whole numbers: exact but for the divisions of the elimination.
  EXPECT_NEAR(determinant({{0, 2}, {3, 0}}), -6, 1e-14);
  EXPECT_NEAR(determinant({{2, 1, 0}, {1, 3, 1}, {0, 1, 4}}), 18, 1e-13);
  EXPECT_NEAR(determinant({{1, 2}, {2, 4}}), 0, 1e-14);
  EXPECT_EQ(determinant(identity(5)), 1);
  EXPECT_THROW(determinant(kA), ShapeError);
}

TEST(Matrix, LargestDifferenceAcceptsNothingThatIsNoNumber) {
  EXPECT_EQ(largest_difference(kA, kA), 0);
  EXPECT_EQ(largest_difference({{1, 2}}, {{1.5, 0}}), 2);
  EXPECT_TRUE(std::isinf(largest_difference(kA, kB)));
  EXPECT_TRUE(std::isinf(largest_difference({{1, std::nan("")}}, {{1, 2}})));
}

}  // namespace
}  // namespace phasor
