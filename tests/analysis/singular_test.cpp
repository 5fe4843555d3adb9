#include "phasor/analysis/singular.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/analysis/design.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/claim.hpp"

namespace phasor {
namespace {

TEST(SingularParts, OfAMatrixKnownByHand) {
  // [[3, 0], [4, 5]]: eigenvalues of the products of columns, 45 and 5.
  const SingularParts parts = singular_parts({{3, 0}, {4, 5}});
  ASSERT_EQ(parts.values.size(), 2u);
  EXPECT_NEAR(parts.values[0], std::sqrt(45.0), 1e-14);
  EXPECT_NEAR(parts.values[1], std::sqrt(5.0), 1e-14);
  EXPECT_NEAR(std::abs(parts.left(0, 0)), std::sqrt(0.1), 1e-14);  // (1, 3) / sqrt(10)
  EXPECT_NEAR(parts.left(1, 0) / parts.left(0, 0), 3, 1e-14);
}

TEST(SingularParts, LeftVectorsAreOrthonormal) {
  const SingularParts parts = singular_parts(sinusoid(40, 12));
  const xt::xarray<double> gram = product(transposed(parts.left), parts.left);
  // Twelve sums of 40 products; the weakest direction is 1e-7 of the strongest.
  EXPECT_LE(largest_difference(gram, identity(12)), 1e-13);
}

TEST(SingularParts, MoreColumnsThanRowsAndCopiesLeaveZeros) {
  const SingularParts wide = singular_parts({{1, 0, 2}});
  EXPECT_EQ(wide.above(1e-10), 1u);
  EXPECT_NEAR(wide.values[0], std::sqrt(5.0), 1e-15);
  const SingularParts copies = singular_parts({{1, 1}, {2, 2}, {3, 3}});
  EXPECT_EQ(copies.above(1e-10), 1u);
  EXPECT_EQ(singular_parts(xt::zeros<double>({3, 2})).above(0.01), 0u);
}

TEST(SingularParts, WhatIsNoNumberCountsForNothing) {
  const SingularParts parts = singular_parts({{1, 0}, {std::nan(""), 1}});
  EXPECT_EQ(parts.above(0.01), 0u);
  EXPECT_TRUE(std::isnan(parts.values[0]));
  EXPECT_TRUE(std::isnan(parts.left(0, 0)));
  EXPECT_THROW(singular_parts(xt::xarray<double>({1, 2})), ShapeError);
}

}  // namespace
}  // namespace phasor
