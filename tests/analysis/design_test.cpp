#include "phasor/analysis/design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "labs/lab04_design/golden.hpp"
#include "phasor/analysis/gram.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/claim.hpp"
#include "tests/course/design_golden.hpp"

namespace phasor {
namespace {

using namespace lab04;  // the golden values

TEST(Designs, AnglesAreNumPys) {
  std::size_t n = 0;
  for (const Design& design : designs())
    for (const std::size_t width : kGoldenWidths)
      for (const std::size_t p : kGoldenPlaces)
        for (std::size_t k = 0; k < width / 2; ++k)
          // Angles of up to 49: a few units in the last place.
          EXPECT_NEAR(design.with()(p, k, width), kGoldenAngles[n++], 3e-14)
              << design.name << " " << width << " " << p << " " << k;
  EXPECT_EQ(n, kGoldenAngles.size());
}

TEST(Designs, TheRealOneIsTheEncoding) {
  const xt::xarray<double> rows = encoding_of(design_named("real").with(50), 40, 12);
  // Frequencies are made the same way, so not a bit differs.
  EXPECT_EQ(largest_difference(rows, sinusoid(40, 12, 50)), 0);
}

TEST(Designs, SinesAreTheEvenColumns) {
  const xt::xarray<double> rows = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  EXPECT_EQ(sines_of(rows), (xt::xarray<double>{{1, 3}, {5, 7}}));
  EXPECT_THROW(sines_of(xt::xarray<double>{{1, 2, 3}}), ShapeError);
}

TEST(Designs, RefusesWhatThereIsNot) {
  EXPECT_THROW(encoding_of(design_named("one").with(), 4, 7), ConfigError);
  EXPECT_THROW(encoding_of(design_named("one").with(), 4, 0), ConfigError);
  try {
    design_named("cubic");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("real, linear, one, square, log, inverse"),
              std::string::npos);
  }
}

TEST(Gram, CosinesOfColumns) {
  const xt::xarray<double> columns = {{3, 0, 4, 0}, {4, 0, -3, 1}};
  const xt::xarray<double> cosines = column_cosines(columns);
  EXPECT_EQ(cosines(0, 0), 1);
  EXPECT_EQ(cosines(1, 1), 1);  // a column of zeros too
  EXPECT_EQ(cosines(0, 1), 0);
  EXPECT_EQ(cosines(0, 2), 0);
  EXPECT_DOUBLE_EQ(cosines(0, 3), 0.8);
  EXPECT_DOUBLE_EQ(cosines(3, 2), -0.6);
}

TEST(Gram, FourierIsABasisAndGeometricSpacingIsNot) {
  const Frame geometric = frame_of(sinusoid(128, 64));
  const Frame fourier = frame_of(encoding_of(fourier_angle(128), 128, 64));
  EXPECT_NEAR(geometric.largest_cosine, kFourier[0], 1e-12);
  // The singular value above the cut-off is 0.023 of the largest, that below it 0.0033: the
  // directions that count are known to 1e-13 over that gap.
  EXPECT_NEAR(geometric.impulse_energy, kFourier[1], 1e-11);
  EXPECT_EQ(geometric.directions, static_cast<std::size_t>(kFourier[3]));
  EXPECT_LT(fourier.largest_cosine, 1e-13);
  EXPECT_EQ(fourier.directions, 64u);
  EXPECT_NEAR(fourier.impulse_energy, 0.5, 1e-13);  // 64 of 128 directions
}

TEST(Gram, AnImpulseOfFourierIsASumOfCosines) {
  const xt::xarray<double> rebuilt = rebuilt_impulse(encoding_of(fourier_angle(16), 16, 8), 5);
  ASSERT_EQ(rebuilt.size(), 16u);
  for (std::size_t p = 0; p < 16; ++p) {
    double sum = 0;
    for (int k = 1; k <= 4; ++k)
      sum += std::cos(2 * std::numbers::pi * k * (static_cast<double>(p) - 5) / 16) / 8;
    EXPECT_NEAR(rebuilt(p), sum, 1e-14) << p;
  }
  EXPECT_THROW(rebuilt_impulse(sinusoid(4, 4), 4), ShapeError);
}

}  // namespace
}  // namespace phasor
