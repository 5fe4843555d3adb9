#include "phasor/analysis/similarity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/analysis/frequency.hpp"
#include "phasor/core/error.hpp"

namespace phasor {
namespace {

// 3-4-5 triangles, so that every expected number is exact.
const xt::xarray<double> kRows = {{3, 4}, {4, 3}, {-3, -4}, {0, 10}};

TEST(Similarity, NormsDistancesAndDotProducts) {
  EXPECT_EQ(norms(kRows), (std::vector<double>{5, 5, 5, 10}));
  EXPECT_EQ(dots_from(kRows), (std::vector<double>{25, 24, -25, 40}));
  EXPECT_EQ(dots_from(kRows, 3), (std::vector<double>{40, 30, -40, 100}));
  EXPECT_EQ(distances_from(kRows, 0)[2], 10);
  EXPECT_EQ(distances_from(kRows, 0)[1], std::sqrt(2));
  EXPECT_EQ(distances_from(kRows, 2)[2], 0);
}

TEST(Similarity, CosineIsOneWithItselfAndSymmetric) {
  const xt::xarray<double> cosine = cosine_similarity(kRows);
  ASSERT_EQ(cosine.shape(0), 4u);
  ASSERT_EQ(cosine.shape(1), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(cosine(i, i), 1);
  EXPECT_DOUBLE_EQ(cosine(0, 1), 0.96);
  EXPECT_DOUBLE_EQ(cosine(1, 0), 0.96);
  EXPECT_DOUBLE_EQ(cosine(0, 2), -1);
  EXPECT_DOUBLE_EQ(cosine(0, 3), 0.8);
}

TEST(Similarity, DotsAtADistanceHasOneValueAPair) {
  EXPECT_EQ(dots_at_distance(kRows, 1), (std::vector<double>{24, -24, -40}));
  EXPECT_EQ(dots_at_distance(kRows, 3), (std::vector<double>{40}));
  EXPECT_THROW(dots_at_distance(kRows, 4), ShapeError);
}

TEST(Similarity, StepsUpCountsStrictRises) {
  EXPECT_EQ(steps_up({1, 2, 2, 1, 3}), 2u);
  EXPECT_EQ(steps_up({3, 2, 1}), 0u);
  EXPECT_EQ(steps_up({}), 0u);
}

TEST(Similarity, RefusesWhatHasNoAnswer) {
  EXPECT_THROW(norms(xt::xarray<double>{1, 2, 3}), ShapeError);
  EXPECT_THROW(dots_from(kRows, 4), ShapeError);
  EXPECT_THROW(distances_from(kRows, 9), ShapeError);
  EXPECT_THROW(cosine_similarity(xt::xarray<double>{{1, 0}, {0, 0}}), DataError);
}

/// The sinusoidal encoding, written out here once more: the analyses must not be tested with the
/// code of a lab.
xt::xarray<double> encoding(std::size_t positions, std::size_t width) {
  const std::vector<double> w = frequencies(width, 10000);
  auto pe = xt::xarray<double>::from_shape({positions, width});
  for (std::size_t p = 0; p < positions; ++p)
    for (std::size_t i = 0; i < width; ++i) {
      const double angle = static_cast<double>(p) * w[i / 2];
      pe(p, i) = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  return pe;
}

TEST(Similarity, DistancesOfTheEncodingAtWidth128) {
  const double expected[] = {0,      1.9526, 3.6382, 4.8608, 5.5523,
                             5.7991, 5.8195, 5.8614, 6.0464, 6.3082};
  const std::vector<double> distance = distances_from(encoding(10, 128));
  // Four decimals are given, so half of the last one is the rounding.
  for (std::size_t p = 0; p < 10; ++p) EXPECT_NEAR(distance[p], expected[p], 0.5e-4) << p;
  EXPECT_NEAR(dots_from(encoding(16, 128), 10)[15], 47.1850, 0.5e-4);
}

TEST(Similarity, InnerProductOfTheEncodingIsAFunctionOfDistance) {
  const std::pair<std::size_t, double> expected[] = {
      {1, 3.5353}, {3, 1.9649}, {5, 3.1600}, {7, 3.5163}, {9, 1.7064}, {11, 2.4519}, {13, 3.1664}};
  for (const auto& [distance, value] : expected)
    for (const double dot : dots_at_distance(encoding(15, 8), distance))
      EXPECT_NEAR(dot, value, 0.5e-4) << distance;
}

}  // namespace
}  // namespace phasor
