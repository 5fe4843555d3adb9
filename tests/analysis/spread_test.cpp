#include "phasor/analysis/spread.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace phasor {
namespace {

TEST(Spread, MeanLeastAndMost) {
  const Spread spread = spread_of({3, 1, 8});
  // Small whole numbers: the sum and its third are exact.
  EXPECT_EQ(spread.mean, 4);
  EXPECT_EQ(spread.least, 1);
  EXPECT_EQ(spread.most, 8);
  EXPECT_EQ(spread.width(), 7);
}

TEST(Spread, OfNothingIsNotANumber) {
  EXPECT_TRUE(std::isnan(spread_of({}).mean));
  EXPECT_TRUE(std::isnan(spread_of({}).least));
}

TEST(Spread, OneNotANumberSpoilsItWhereverItStands) {
  for (const auto& values : {std::vector<double>{NAN, 1, 2}, {1, NAN, 2}, {1, 2, NAN}}) {
    const Spread spread = spread_of(values);
    EXPECT_TRUE(std::isnan(spread.mean) && std::isnan(spread.least) && std::isnan(spread.most));
  }
}

TEST(Spread, LiesApartInEitherOrderAndNotWhenItTouches) {
  EXPECT_TRUE(lie_apart({1, 0, 2}, {4, 3, 5}));
  EXPECT_TRUE(lie_apart({4, 3, 5}, {1, 0, 2}));
  EXPECT_FALSE(lie_apart({1, 0, 3}, {4, 3, 5}));
  EXPECT_FALSE(lie_apart({1, 0, 4}, {4, 3, 5}));
  EXPECT_FALSE(lie_apart(spread_of({}), {4, 3, 5}));
}

}  // namespace
}  // namespace phasor
