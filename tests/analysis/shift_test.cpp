#include "phasor/analysis/shift.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "labs/lab02_rotation/golden.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/claim.hpp"

namespace phasor {
namespace {

using namespace lab02;  // the golden values

TEST(Shift, IsAMatrixPower) {
  const auto check = [](double k, std::size_t width, const auto& golden) {
    const xt::xarray<double> matrix = sinusoidal_shift(k, width, kGoldenBase);
    ASSERT_EQ(matrix.size(), golden.size());
    // The eigenvectors of the script are good to a few units of 1e-16, times an angle of 7.
    for (std::size_t n = 0; n < golden.size(); ++n) EXPECT_NEAR(matrix.data()[n], golden[n], 1e-14);
  };
  check(3, 8, kGoldenShift8);
  check(-7, 12, kGoldenShift12);
}

TEST(Shift, HalfAStepTwiceIsAStep) {
  const xt::xarray<double> half = sinusoidal_shift(0.5, 16);
  EXPECT_LE(largest_difference(product(half, half), sinusoidal_shift(1, 16)), 1e-15);
}

TEST(Shift, MovesRowsAlong) {
  const xt::xarray<double> pe = sinusoid(12, 16);
  const xt::xarray<double> after = moved(pe, sinusoidal_shift(3, 16));
  // Angles below 12: known to 2e-15.
  for (std::size_t p = 0; p + 3 < 12; ++p)
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(after(p, i), pe(p + 3, i), 5e-15);
}

TEST(Shift, RefusesAnOddWidth) { EXPECT_THROW(sinusoidal_shift(1, 7), ConfigError); }

TEST(ShiftError, InFloatIsThatOfPyTorch) {
  constexpr std::array<double, 5> offsets = {1, 5, 10, 50, 100};
  for (std::size_t n = 0; n < 5; ++n) {
    const double error = shift_error_in_float(10, offsets[n], 64);
    // PyTorch has sines and powers of its own, which may round the other way (6e-8) in any of 64
    // entries: that moves the norm by up to sqrt(64) times as much.
    EXPECT_NEAR(error, kGoldenFloatErrors[n], 8 * 6e-8) << offsets[n];
  }
}

TEST(ShiftError, PairsAddUpToTheWhole) {
  const std::vector<double> pairs = shift_errors_by_pair_in_float(10, 100, 64);
  ASSERT_EQ(pairs.size(), 32u);
  double sum = 0;
  for (const double error : pairs) sum += error * error;
  const double whole = shift_error_in_float(10, 100, 64);
  // The whole is summed in single precision: 32 roundings of 6e-8, relatively.
  EXPECT_NEAR(std::sqrt(sum), whole, 2e-6 * whole);
  // Angles of pair 0 are whole numbers, known exactly: what is left are roundings of sines.
  EXPECT_LE(pairs[0], 3e-7);
}

TEST(ShiftError, InDoubleIsRounding) {
  for (const double k : {1, 5, 10, 50, 100})
    // Angles below 110 are known to 7e-15; 32 pairs.
    EXPECT_LE(shift_error_in_double(10, k, 64), 4e-14) << k;
}

TEST(Turns, AreTheAnglesOfThePairs) {
  const double turn = 2 * std::numbers::pi;
  const xt::xarray<double> pe = sinusoid(9, 4, 100);  // frequencies 1 and 0.1
  const std::vector<double> turns = turns_between(pe, 1, 8);
  EXPECT_NEAR(turns[0], 7 - turn, 1e-14);
  EXPECT_NEAR(turns[1], 0.7, 1e-14);
  EXPECT_NEAR(turns_between(pe, 8, 1)[1], turn - 0.7, 1e-14);
  EXPECT_THROW(turns_between(pe, 0, 9), ShapeError);
  EXPECT_THROW(turns_between(xt::zeros<double>({2, 3}), 0, 1), ShapeError);
}

TEST(Turns, AnglesAreComparedOnTheCircle) {
  const double turn = 2 * std::numbers::pi;
  EXPECT_NEAR(angle_between(0.1, turn - 0.1), 0.2, 1e-15);
  EXPECT_NEAR(angle_between(0.1, 0.1 + 5 * turn), 0, 1e-14);
  EXPECT_NEAR(angle_between(0, std::numbers::pi), std::numbers::pi, 1e-15);
}

}  // namespace
}  // namespace phasor
