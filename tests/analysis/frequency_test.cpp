#include "phasor/analysis/frequency.hpp"

#include <gtest/gtest.h>

#include "phasor/core/error.hpp"

namespace phasor {
namespace {

TEST(Frequency, WidthEightFallsByTenEachPair) {
  const std::vector<double> w = frequencies(8, 10000);
  ASSERT_EQ(w.size(), 4u);
  const double expected[] = {1, 0.1, 0.01, 0.001};
  // pow() is off by at most a unit or two in the last place.
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(w[k], expected[k], 1e-15) << k;
}

TEST(Frequency, LongestWaveStaysShortOfTwoPiBase) {
  // Computed by hand as 2 pi 10000^((d-2)/d), rounded to whole positions: half a position is the
  // rounding.
  const std::pair<std::size_t, double> longest[] = {{8, 6283},    {32, 35333},  {64, 47117},
                                                    {128, 54410}, {256, 58470}, {512, 60611}};
  for (const auto& [width, positions] : longest) {
    EXPECT_NEAR(wavelengths(width, 10000).back(), positions, 0.5) << width;
    EXPECT_NEAR(wavelengths(width, 10000).front(), 6.283185307179586, 1e-15);
  }
}

TEST(Frequency, RefusesOddWidthAndImpossibleBase) {
  EXPECT_THROW(frequencies(7, 10000), ConfigError);
  EXPECT_THROW(frequencies(0, 10000), ConfigError);
  EXPECT_THROW(frequencies(8, 0), ConfigError);
  EXPECT_THROW(frequencies(8, -3), ConfigError);
  try {
    frequencies(7, 10000);
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("got 7"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("choose width 8"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace phasor
