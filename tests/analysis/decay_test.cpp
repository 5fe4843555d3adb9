#include "phasor/analysis/decay.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/claim.hpp"
#include "tests/course/product_golden.hpp"

namespace phasor {
namespace {

TEST(Decay, SumOfCosinesByHand) {
  EXPECT_DOUBLE_EQ(sum_of_cosines(2, {1, 0.5, 0}), std::cos(2.0) + std::cos(1.0) + 1);
  EXPECT_DOUBLE_EQ(sum_of_cosines(-2, {1, 0.5, 0}), sum_of_cosines(2, {1, 0.5, 0}));
}

TEST(Decay, TheLawIsNumPys) {
  EXPECT_NEAR(decay_law(50, 10000), kLaw[0], 1e-15);
  EXPECT_NEAR(decay_law(1000, 10000), kLaw[2], 1e-15);
  EXPECT_NEAR(decay_law_zero(10000), kLawZero[0], 1e-10);
  EXPECT_NEAR(decay_law(decay_law_zero(500), 500), 0, 1e-15);
}

TEST(Decay, WideEncodingsFollowTheLaw) {
  const std::vector<double> w = frequencies(8192, 10000);
  for (const double distance : {20.0, 50.0, 100.0, 300.0, 600.0}) {
    const double share = sum_of_cosines(distance, w) / 4096;
    // What the law leaves out: Ci(p) swings by 1/p, and Ci(p / B) - ln(p / B) - 0.5772 is
    // (p / B)^2 / 4; both over ln 10000 = 9.2. The sum is off the mean by half a step, 1/4096.
    const double bound = (1 / distance + std::pow(distance / 10000, 2) / 4) / 9.2 + 1.0 / 4096;
    EXPECT_NEAR(share, decay_law(distance, 10000), bound) << distance;
  }
}

TEST(Decay, SpreadIsTheWidestOfAllDistances) {
  // Distance 0: 1, 4, 36; distance 1: 2, 12; distance 2: 6.
  const xt::xarray<double> rows = {{1, 0}, {2, 0}, {6, 0}};
  EXPECT_EQ(widest_spread(rows), 35);
  EXPECT_LT(widest_spread(sinusoid(64, 16)), 1e-13);
  EXPECT_THROW(widest_spread(xt::xarray<double>{1, 2}), ShapeError);
}

TEST(Decay, NormalisedRowsHaveLengthOne) {
  EXPECT_EQ(normalised(xt::xarray<double>{{3, 4}, {0, 2}}),
            (xt::xarray<double>{{0.6, 0.8}, {0, 1}}));
  EXPECT_THROW(normalised(xt::xarray<double>{{0, 0}}), DataError);
}

TEST(Decay, ReadableUpToTheFirstValueThatComesAgain) {
  EXPECT_EQ(readable_up_to({5, 4, 3, 2}), 3u);
  EXPECT_EQ(readable_up_to({5, 4, 2, 3}), 1u);
  EXPECT_EQ(readable_up_to({5, 4, 4, 3}), 0u);  // the same value twice
  EXPECT_EQ(readable_up_to({5, 1, 6}), 0u);
  EXPECT_EQ(readable_up_to({5}), 0u);
  EXPECT_THROW(readable_up_to({}), DataError);
}

const xt::xarray<double> kPoints = {{0, 0}, {3, 4}, {0, 1}, {3, 4.5}};

TEST(Collision, NearestPairOfRows) {
  const RowPair nearest = nearest_pair(kPoints);
  EXPECT_EQ(nearest.first, 1u);
  EXPECT_EQ(nearest.second, 3u);
  EXPECT_EQ(nearest.distance, 0.5);
  const RowPair far = nearest_pair(kPoints, 3);
  EXPECT_EQ(far.first, 0u);
  EXPECT_EQ(far.second, 3u);
  EXPECT_THROW(nearest_pair(kPoints, 4), ShapeError);
  EXPECT_THROW(nearest_pair(kPoints, 0), ShapeError);
}

TEST(Collision, NearestToTheFirstAndOfEach) {
  const RowPair nearest = nearest_to_first(kPoints);
  EXPECT_EQ(nearest.second, 2u);
  EXPECT_EQ(nearest.distance, 1);
  EXPECT_EQ(nearest_distances(kPoints), (std::vector<double>{1, 0.5, 1, 0.5}));
  EXPECT_THROW(nearest_to_first(xt::xarray<double>{{1, 2}}), ShapeError);
}

TEST(Collision, PositionZeroStandsForAllOfTheEncoding) {
  const xt::xarray<double> pe = sinusoid(300, 4);
  EXPECT_NEAR(nearest_to_first(pe).distance, nearest_pair(pe).distance, 1e-12);
}

}  // namespace
}  // namespace phasor
