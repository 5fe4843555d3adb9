#include "phasor/analysis/score_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

TEST(ScoreMap, IsEveryQueryWithEveryKey) {
  const xt::xarray<double> queries = {{1, 2}, {0, -1}}, keys = {{3, 4}, {1, 0}, {2, 2}};
  const xt::xarray<double> expected = {{11, 1, 6}, {-4, 0, -2}};
  EXPECT_EQ(score_map(queries, keys), expected);
  EXPECT_THROW(score_map(queries, xt::xarray<double>{{1, 2, 3}}), ShapeError);
}

TEST(ScoreMap, SpreadIsZeroWhenOnlyTheOffsetCounts) {
  xt::xarray<double> map = xt::zeros<double>({4, 6});
  for (std::size_t m = 0; m < 4; ++m)
    for (std::size_t n = 0; n < 6; ++n)
      map(m, n) = std::pow(static_cast<double>(n) - static_cast<double>(m), 3);
  EXPECT_EQ(spread_on_diagonals(map), 0);
  // Each corner is alone on its diagonal, so that it may have any value.
  map(3, 0) = 1000;
  map(0, 5) = -1000;
  EXPECT_EQ(spread_on_diagonals(map), 0);
  map(2, 4) += 0.5;
  EXPECT_EQ(spread_on_diagonals(map), 0.5);
  EXPECT_EQ(relative_spread_on_diagonals(map), 0.5 / 1000);
}

TEST(ScoreMap, SpreadSeesTheFirstAndTheLastDiagonalOfTwo) {
  xt::xarray<double> map = xt::zeros<double>({3, 3});
  map(1, 0) = 2;  // (2, 1) is 0
  EXPECT_EQ(spread_on_diagonals(map), 2);
  map(1, 0) = 0;
  map(0, 1) = -3;  // (1, 2) is 0
  EXPECT_EQ(spread_on_diagonals(map), 3);
}

TEST(ScoreMap, HiddenEntriesDoNotCount) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const xt::xarray<double> map = {{1, nan}, {2, 1}};
  EXPECT_EQ(spread_on_diagonals(map), 0);
  const xt::xarray<double> between = {{1, 0, 0}, {0, nan, 0}, {0, 0, 4}};
  EXPECT_EQ(spread_on_diagonals(between), 3);
  EXPECT_EQ(relative_spread_on_diagonals(xt::zeros<double>({3, 3})), 0);
}

TEST(ScoreMap, OneContentEverywhere) {
  const xt::xarray<double> rows = {{1, 2}, {3, 4}};
  const xt::xarray<double> expected = {{3, 4}, {3, 4}, {3, 4}};
  EXPECT_EQ(repeated_row(rows, 1, 3), expected);
  EXPECT_THROW(repeated_row(rows, 2, 3), ShapeError);
}

TEST(ScoreMap, NormalRowsAreNormalAndTheSameAgain) {
  Rng rng(1, "rows"), again(1, "rows");
  const xt::xarray<double> rows = normal_rows(100, 100, 3, rng);
  EXPECT_EQ(rows, normal_rows(100, 100, 3, again));
  double sum = 0, squares = 0;
  for (const double x : rows) sum += x, squares += x * x;
  // Of 10,000 draws of deviation 3: the mean is within 5 standard errors, 5 * 3 / 100, and the
  // mean square within 5 of 9 sqrt(2) / 100.
  EXPECT_NEAR(sum / 1e4, 0, 0.15);
  EXPECT_NEAR(squares / 1e4, 9, 0.64);
}

}  // namespace
}  // namespace phasor
