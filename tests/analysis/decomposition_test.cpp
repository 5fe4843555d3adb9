#include "phasor/analysis/decomposition.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "labs/lab07_decomposition/golden.hpp"
#include "phasor/analysis/matrix.hpp"
#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

using namespace lab07;  // the golden values

using Array = xt::xarray<double>;

/// The inputs of the golden values.
Array wave(std::size_t rows, std::size_t columns, double start, double step) {
  auto result = Array::from_shape({rows, columns});
  for (std::size_t i = 0; i < result.size(); ++i)
    result.data()[i] = std::sin(start + step * static_cast<double>(i));
  return result;
}
const Array kX = wave(5, 6, 0.3, 0.7), kP = wave(5, 6, 1.2, 0.9);
const Array kWq = wave(6, 3, 0.5, 1.1), kWk = wave(6, 3, 2.0, 0.4);

/// The largest difference from values in row-major order.
template <class Golden>
double off(const Array& map, const Golden& golden) {
  Array wanted = Array::from_shape({5, 5});
  std::copy(golden.begin(), golden.end(), wanted.begin());
  return largest_difference(map, wanted);
}

TEST(Decomposition, IsWhatNumPyComputes) {
  const ScoreTerms terms = decompose(kX, kP, kWq, kWk);
  // Sums of 6 and 3 products of numbers near 1: some thirty roundings of 1e-16.
  EXPECT_LT(off(terms.content_content, kGoldenContentContent), 1e-13);
  EXPECT_LT(off(terms.content_position, kGoldenContentPosition), 1e-13);
  EXPECT_LT(off(terms.position_content, kGoldenPositionContent), 1e-13);
  EXPECT_LT(off(terms.position_position, kGoldenPositionPosition), 1e-13);
}

TEST(Decomposition, ContentAndPositionChangePlaces) {
  const ScoreTerms terms = decompose(kX, kP, kWq, kWk), other = decompose(kP, kX, kWq, kWk);
  EXPECT_EQ(terms.content_content, other.position_position);
  EXPECT_EQ(terms.content_position, other.position_content);
}

TEST(Decomposition, CentredScoresSumToZeroOverWhatIsSeen) {
  const Array map = {{1, 9, 9}, {2, 4, 9}, {0, 3, 6}};
  EXPECT_EQ(centred_scores(map, true), (Array{{0, 0, 0}, {-1, 1, 0}, {-3, 0, 3}}));
  const Array full = centred_scores(map, false);
  for (std::size_t t = 0; t < 3; ++t)  // thirds are rounded
    EXPECT_NEAR(full(t, 0) + full(t, 1) + full(t, 2), 0, 1e-14);
}

TEST(Decomposition, SharesAddUpToOne) {
  for (const bool causal : {true, false}) {
    const std::array<double, 4> parts = shares(decompose(kX, kP, kWq, kWk), causal);
    EXPECT_NEAR(parts[0] + parts[1] + parts[2] + parts[3], 1, 1e-12);  // sums of 25 products
  }
}

TEST(Decomposition, SharesIgnoreWhatIsTheSameForAllKeys) {
  ScoreTerms terms = decompose(kX, kP, kWq, kWk);
  const std::array<double, 4> before = shares(terms, true);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j) terms.content_content(i, j) += 100 * static_cast<double>(i);
  const std::array<double, 4> after = shares(terms, true);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(before[i], after[i], 1e-11);  // 400 is rounded
}

TEST(Decomposition, ATermAloneHasEverything) {
  const Array none = xt::zeros<double>({5, 6});
  EXPECT_EQ(shares(decompose(none, kP, kWq, kWk), true), (std::array<double, 4>{0, 0, 0, 1}));
  EXPECT_EQ(shares(decompose(kX, none, kWq, kWk), true), (std::array<double, 4>{1, 0, 0, 0}));
}

TEST(Decomposition, HiddenScoresCountForNothing) {
  ScoreTerms terms = decompose(kX, kP, kWq, kWk);
  const std::array<double, 4> before = shares(terms, true);
  const double by_distance = distance_share(terms.sum(), true);
  terms.content_position(0, 3) += 1000;
  EXPECT_EQ(shares(terms, true), before);
  EXPECT_EQ(distance_share(terms.sum(), true), by_distance);
  EXPECT_NE(distance_share(terms.sum(), false), by_distance);
}

TEST(Decomposition, DistanceExplainsWhatDependsOnIt) {
  auto by_distance = Array::from_shape({6, 6}), by_key = Array::from_shape({6, 6});
  for (std::size_t t = 0; t < 6; ++t)
    for (std::size_t s = 0; s < 6; ++s) {
      by_distance(t, s) = std::cos(0.7 * (static_cast<double>(t) - static_cast<double>(s)));
      by_key(t, s) = static_cast<double>(s);
    }
  for (const bool causal : {true, false}) {
    EXPECT_NEAR(distance_share(by_distance, causal), 1, 1e-12);  // differences of sums of squares
    EXPECT_LT(distance_share(by_key, causal), 0.7);
  }
  // The diagonal holds 0 and 2, the other one 3: of 14/3 in all, 2 lie within the diagonal.
  EXPECT_NEAR(distance_share({{0, 99}, {3, 2}}, true), 4.0 / 7, 1e-14);
}

TEST(Decomposition, RefusesSizesThatDoNotFit) {
  EXPECT_THROW(decompose(kX, kP, kWk, kX), ShapeError);
  expect_error<ShapeError>([] { distance_share(kX, true); }, "[T, T]");
}

}  // namespace
}  // namespace phasor
