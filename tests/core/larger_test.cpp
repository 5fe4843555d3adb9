#include "phasor/core/larger.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace phasor {
namespace {

TEST(Larger, IsTheLargerOfTwoNumbers) {
  EXPECT_EQ(larger(1, 2), 2);
  EXPECT_EQ(larger(2, 1), 2);
  EXPECT_EQ(larger(-1, std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
}

TEST(Larger, IsNoNumberOnceOneOfThemIsNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(larger(nan, 1)));
  EXPECT_TRUE(std::isnan(larger(1, nan)));
  EXPECT_TRUE(std::isnan(larger(larger(1, nan), 2)));
}

TEST(Smaller, IsTheSmallerOfTwoNumbersOrNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(smaller(1, 2), 1);
  EXPECT_EQ(smaller(2, 1), 1);
  EXPECT_TRUE(std::isnan(smaller(nan, 1)));
  EXPECT_TRUE(std::isnan(smaller(1, nan)));
}

}  // namespace
}  // namespace phasor
