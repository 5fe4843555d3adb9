// Tables, rotations and biases against vectors that were computed elsewhere (tests/golden).
#include "phasor/position/alibi.hpp"
#include "phasor/position/schemes.hpp"
#include "tests/golden_files.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr bool kIsDouble = sizeof(Real) == 8;

std::unique_ptr<Scheme> made(const std::string& name, const OptionValues& options,
                             const SchemeSizes& sizes) {
  Rng rng(1);
  return make_scheme(name, options, sizes, rng);
}

Positions golden_positions(const std::string& name) {
  const xt::xarray<double> stored = golden_doubles(name);
  return Positions(stored.begin(), stored.end());
}

Tensor with_shape(Tensor x, const Shape& shape) {
  x.reshape(shape);
  return x;
}

REAL_TEST(GoldenSchemes, sinusoidal_tables) {
  // A frequency is off by one rounding or two, an angle by up to 16 times that; float rounds last.
  const double tolerance = kIsDouble ? 1e-14 : 1e-7;
  for (const std::string layout : {"interleaved", "concat"})
    for (const std::string base : {"10000", "50"}) {
      const auto scheme = made("sinusoidal", {{"base", base}, {"layout", layout}}, {12, 3, 9});
      const Var table = scheme->embed(Var(zeros({1, 17, 12})), consecutive_positions(17));
      EXPECT_LE(relative_difference(
                    with_shape(table.value(), {17, 12}),
                    golden_doubles("schemes/sinusoidal." + layout + ".base" + base + ".npy")),
                tolerance)
          << layout << ", base " << base;
    }
}

REAL_TEST(GoldenSchemes, sinusoidal_is_added_to_every_sequence_of_a_batch) {
  const auto scheme = made("sinusoidal", {}, {12, 3, 9});
  const xt::xarray<double> table = golden_doubles("schemes/sinusoidal.interleaved.base10000.npy");
  const Positions positions{16, 0, 3};
  const Tensor y = scheme->embed(Var(full({2, 3, 12}, 4)), positions).value();
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t c = 0; c < 12; ++c)  // 1e-6: one rounding of a float near 4
        EXPECT_NEAR(y(b, t, c), 4 + table(static_cast<std::size_t>(positions[t]), c), 1e-6);
}

REAL_TEST(GoldenSchemes, rope_rotations) {
  // In double, the angle of position 1000.5 is off by 1000 roundings of its frequency.
  const double tolerance = kIsDouble ? 1e-12 : 1e-6;
  const Var q(golden_tensor("schemes/rope.q.npy")), k(golden_tensor("schemes/rope.k.npy"));
  const Positions positions = golden_positions("schemes/rope.positions.npy");
  const Context context{positions, positions, Real(0.5), true};
  for (const std::string pairing : {"interleaved", "half"})
    for (const std::string base : {"10000", "500"})
      for (const std::string fraction : {"1.0", "0.5"}) {
        const auto scheme = made(
            "rope", {{"pairing", pairing}, {"base", base}, {"fraction", fraction}}, {24, 3, 9});
        const QK rotated = scheme->rotate(q, k, context);
        const std::string file =
            "schemes/rope." + pairing + ".base" + base + ".fraction" + fraction + ".";
        EXPECT_LE(relative_difference(rotated.q.value(), golden_doubles(file + "q.npy")), tolerance)
            << file;
        EXPECT_LE(relative_difference(rotated.k.value(), golden_doubles(file + "k.npy")), tolerance)
            << file;
      }
}

REAL_TEST(GoldenSchemes, alibi_slopes) {
  for (std::size_t heads = 1; heads <= 16; ++heads) {
    const xt::xarray<double> wanted =
        golden_doubles("schemes/alibi.slopes.heads" + std::to_string(heads) + ".npy");
    const std::vector<double> slopes = alibi_slopes(heads);
    ASSERT_EQ(slopes.size(), heads);
    ASSERT_EQ(wanted.size(), heads);
    for (std::size_t h = 0; h < heads; ++h)  // two powers of two, each right to a rounding or two
      EXPECT_NEAR(slopes[h] / wanted(h), 1, 1e-15) << heads << " heads, head " << h;
  }
}

REAL_TEST(GoldenSchemes, alibi_biases) {
  const Positions queries = golden_positions("schemes/alibi.queries.npy");
  const Positions keys = golden_positions("schemes/alibi.keys.npy");
  const Context context{queries, keys, Real(0.5), true};
  for (const std::size_t heads : {4U, 6U}) {
    const auto scheme = made("alibi", {}, {heads * 4, heads, 9});
    const Var zero(zeros({1, heads, 5, 8})), q(zeros({1, heads, 5, 4})), k(zeros({1, heads, 8, 4}));
    const Tensor bias = with_shape(scheme->score(zero, q, k, context).value(), {heads, 5, 8});
    const std::string heads_npy = ".heads" + std::to_string(heads) + ".npy";
    const xt::xarray<double> absolute = golden_doubles("schemes/alibi.bias_absolute" + heads_npy);
    EXPECT_LE(relative_difference(bias, absolute), kIsDouble ? 1e-15 : 1e-7) << heads;
    const xt::xarray<double> one_sided = golden_doubles("schemes/alibi.bias" + heads_npy);
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t t = 0; t < 5; ++t)
        for (std::size_t s = 0; s < 8; ++s)
          if (keys[s] <= queries[t]) {
            EXPECT_NEAR(bias(h, t, s), one_sided(h, t, s), kIsDouble ? 1e-15 : 1e-6)
                << "head " << h << ", query " << t << ", key " << s;
          }
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
