// What makes a rotation a rotary embedding. Every wrong sign or pairing keeps norms and the
// relative property too, so values are held against golden_schemes_test.cpp as well.
#include "tests/core/expect_error.hpp"
#include "tests/position/hooks.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kWidth = 8;  // of a head: four pairs
// Two products and a sum an element, sums of eight of them.
constexpr double kRounding = 32 * kEpsilon;

std::unique_ptr<Scheme> rope_with(const OptionValues& options) {
  Rng rng(1);
  return make_scheme("rope", options, {kH * kWidth, kH, 9}, rng);
}

/// x: [B, H, T, D] at the positions of its T rows.
Tensor rotated(const Scheme& scheme, const Tensor& x, const Positions& positions) {
  const Context context{positions, positions, Real(0.5), true};
  return scheme.rotate(Var(x), Var(x), context).q.value();
}

/// Column c of the result is column columns[c] of x.
Tensor with_columns(const Tensor& x, const std::vector<std::size_t>& columns) {
  Tensor result = x;
  const std::size_t D = columns.size();
  for (std::size_t i = 0; i < x.size(); ++i)
    result.data()[i] = x.data()[i - i % D + columns[i % D]];
  return result;
}

/// One query and one key of width 8, turned to their positions and multiplied.
double product(const Scheme& scheme, double q_position, double k_position) {
  const Tensor q = rotated(scheme, normal({1, 1, 1, kWidth}, 5), {q_position});
  const Tensor k = rotated(scheme, normal({1, 1, 1, kWidth}, 6), {k_position});
  double sum = 0;
  for (std::size_t i = 0; i < kWidth; ++i)
    sum += static_cast<double>(q.data()[i]) * static_cast<double>(k.data()[i]);
  return sum;
}

const std::vector<OptionValues> kKinds{{},
                                       {{"pairing", "half"}},
                                       {{"fraction", "0.5"}},
                                       {{"fraction", "0.5"}, {"pairing", "half"}},
                                       {{"base", "7"}}};

REAL_TEST(Rope, turns_the_first_axis_towards_the_second) {
  for (const std::string pairing : {"interleaved", "half"}) {
    Tensor x = zeros({1, 1, 1, kWidth});
    const std::size_t first = pairing == "half" ? 1 : 2, second = pairing == "half" ? 5 : 3;
    x.data()[first] = 1;  // the first of pair 1, which turns by 100^(-2/8) a position
    const Tensor y = rotated(*rope_with({{"pairing", pairing}, {"base", "100"}}), x, {3});
    const double angle = 3 * std::pow(100, -0.25);
    for (std::size_t i = 0; i < kWidth; ++i)
      EXPECT_NEAR(y.data()[i],
                  i == first    ? std::cos(angle)
                  : i == second ? std::sin(angle)
                                : 0,
                  kRounding)
          << pairing << ", column " << i;
  }
}

REAL_TEST(Rope, pairings_are_equal_up_to_a_permutation_of_columns) {
  const Tensor x = normal({kB, kH, kT, kWidth});
  const Positions positions{0, 1, 2.5, 40, 1000};
  // Where `interleaved` keeps what stands in column c under `half`: pair c is 2c and 2c + 1.
  const std::vector<std::pair<std::string, std::vector<std::size_t>>> cases{
      {"1", {0, 2, 4, 6, 1, 3, 5, 7}}, {"0.5", {0, 2, 1, 3, 4, 5, 6, 7}}};
  for (const auto& [fraction, columns] : cases) {
    const Tensor interleaved = rotated(*rope_with({{"fraction", fraction}}), x, positions);
    const Tensor half = rotated(*rope_with({{"fraction", fraction}, {"pairing", "half"}}),
                                with_columns(x, columns), positions);
    EXPECT_LE(relative_difference(half, with_columns(interleaved, columns)), kRounding) << fraction;
    EXPECT_GT(relative_difference(half, interleaved), 0.1) << fraction;
  }
}

REAL_TEST(Rope, keeps_every_length) {
  const Tensor x = normal({kB, kH, kT, kWidth});
  for (const OptionValues& options : kKinds) {
    const Tensor y = rotated(*rope_with(options), x, {0, 1, 2.5, 40, 100000});
    for (std::size_t row = 0; row < x.size() / kWidth; ++row) {
      double before = 0, after = 0;
      for (std::size_t i = row * kWidth; i < (row + 1) * kWidth; ++i) {
        before += std::pow(static_cast<double>(x.data()[i]), 2);
        after += std::pow(static_cast<double>(y.data()[i]), 2);
      }
      EXPECT_NEAR(after / before, 1, kRounding);
    }
  }
}

REAL_TEST(Rope, products_depend_on_the_distance_alone) {
  for (const OptionValues& options : kKinds) {
    const auto scheme = rope_with(options);
    for (const double distance : {0.0, 1.0, 3.5, -2.0})
      for (const double key : {1.0, 10.25, 500.0})  // an angle of 500 is off by 500 roundings
        EXPECT_NEAR(product(*scheme, key + distance, key), product(*scheme, distance, 0),
                    1000 * kRounding)
            << distance << " from " << key;
    EXPECT_GT(std::abs(product(*scheme, 3, 0) - product(*scheme, 0, 3)), 1e-2) << "rel has a sign";
  }
}

REAL_TEST(Rope, leaves_position_zero_and_the_rest_of_a_head_alone) {
  const Tensor x = normal({kB, kH, kT, kWidth});
  for (const OptionValues& options : kKinds)
    EXPECT_TRUE(identical(rotated(*rope_with(options), x, Positions(kT, 0)), x));
  for (const auto& [fraction, turned] : std::vector<std::pair<std::string, std::size_t>>{
           {"0.25", 2}, {"0.5", 4}, {"0.74", 4}, {"0.75", 6}, {"1", 8}})
    for (const std::string pairing : {"interleaved", "half"}) {
      const auto scheme = rope_with({{"fraction", fraction}, {"pairing", pairing}});
      const Tensor y = rotated(*scheme, x, Positions(kT, 1));
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_EQ(y.data()[i] != x.data()[i], i % kWidth < turned)
            << fraction << ", column " << i % kWidth;
    }
}

REAL_TEST(Rope, turns_queries_and_keys_by_their_own_positions) {
  const auto scheme = rope_with({});
  const Tensor q = normal({kB, kH, kT, kWidth}, 1), k = normal({kB, kH, kS, kWidth}, 2);
  const Positions queries{2, 4, 8, 16, 32}, keys{0, 1, 2, 4, 8, 16, 32};
  const QK both = scheme->rotate(Var(q), Var(k), {queries, keys, Real(0.5), true});
  EXPECT_TRUE(identical(both.q.value(), rotated(*scheme, q, queries)));
  EXPECT_TRUE(identical(both.k.value(), rotated(*scheme, k, keys)));
}

/// In float an angle near a million is off by up to 1/32; taken in double the result is exact.
REAL_TEST(Rope, takes_far_angles_in_double) {
  Tensor x = zeros({1, 1, 1, kWidth});
  x.data()[0] = 1;
  const Tensor y = rotated(*rope_with({}), x, {1000003.5});
  EXPECT_NEAR(y.data()[0], std::cos(1000003.5), kEpsilon);
  EXPECT_NEAR(y.data()[1], std::sin(1000003.5), kEpsilon);
}

REAL_TEST(Rope, refuses_what_does_not_fit) {
  const auto scheme = rope_with({});
  const Tensor x = normal({kB, kH, kT, kWidth});
  expect_error<ShapeError>(
      [&] {
        rotated(*scheme, x, {0, 1, 2});
      },
      {"[rotate_pairs]", "[2, 3, 5, 8]", "3 positions"});
  expect_error<ShapeError>(
      [&] {
        rotated(*scheme, normal({kB, kH, kT, 6}), Positions(kT, 0));
      },
      {"[rotate_pairs]", "[2, 3, 5, 6]", "4 pairs"});
  expect_error<ShapeError>(
      [&] {
        rotated(*scheme, normal({kT, kWidth}), Positions(kT, 0));
      },
      {"[rotate_pairs]", "[5, 8]"});
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
