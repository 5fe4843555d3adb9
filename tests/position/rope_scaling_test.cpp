// How much of its frequency each pair keeps, against arithmetic by hand.
#include "phasor/position/rope_scaling.hpp"

#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

RopeScaling yarn(double length) {
  return {.kind = RopeScaling::Kind::yarn,
          .factor = 4,
          .trained_length = length,
          .alpha = 1,
          .beta = 32,
          .attention_factor = 1};
}

void expect_shares(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t c = 0; c < wanted.size(); ++c)
    EXPECT_NEAR(found[c], wanted[c], 1e-14) << "pair " << c;
}

/// Base 100, R 8: pair c turns L 100^(-c/4) / 2 pi times. For L = 1024 the 32 turns lie at pair
/// 4 ln(1024 / 64 pi) / ln 100 = 1.41, rounded down 1, and the one turn at
/// 4 ln(1024 / 2 pi) / ln 100 = 4.42, rounded up 5: beyond the last pair, 3, but not beyond R - 1,
/// which is where the authors' code ends the ramp.
REAL_TEST(YarnRamp, may_end_beyond_the_last_pair) {
  expect_shares(yarn(1024).original_share(100, 8), {1, 1, 0.75, 0.5});
}

/// Base 10, L = 400: 32 turns at pair 4 ln(400 / 64 pi) / ln 10 = 1.19, rounded down 1, and one
/// turn at 7.22, rounded up 8, which R - 1 = 7 cuts.
REAL_TEST(YarnRamp, ends_at_the_rotated_width_less_one) {
  expect_shares(yarn(400).original_share(10, 8), {1, 1, 5.0 / 6, 4.0 / 6});
}

/// For L = 8 no pair turns 32 times: the ramp begins at 0, where 4 ln(8 / 64 pi) / ln 100 = -2.8
/// would have it, and ends at 4 ln(8 / 2 pi) / ln 100 = 0.21, rounded up 1.
REAL_TEST(YarnRamp, begins_at_the_first_pair) {
  expect_shares(yarn(8).original_share(100, 8), {1, 0, 0, 0});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
