#include "phasor/core/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace phasor {
namespace {

using Words = std::vector<std::uint64_t>;

/// The published algorithms (https://prng.di.unimi.it: splitmix64.c, xoshiro256plusplus.c), written
/// again here and checked against published outputs below.
struct SplitMix {
  std::uint64_t x;
  std::uint64_t next() {
    x += 0x9e3779b97f4a7c15u;
    std::uint64_t z = x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

struct Xoshiro {
  std::array<std::uint64_t, 4> s;
  static std::uint64_t left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t next() {
    const std::uint64_t result = left(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = left(s[3], 45);
    return result;
  }
};

/// The state of a stream as rng.hpp promises it: the name hashed word by word, then splitmix64.
Xoshiro stream(std::uint64_t seed, const std::string& purpose, std::uint64_t first,
               std::uint64_t second) {
  Words words{seed};
  for (const char c : purpose) words.push_back(static_cast<unsigned char>(c));
  words.insert(words.end(), {first, second});
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) hash = SplitMix{hash ^ word}.next();
  SplitMix filler{hash};
  Xoshiro result{};
  for (auto& word : result.s) word = filler.next();
  return result;
}

template <class Generator>
Words draw(Generator generator, std::size_t count) {
  Words result(count);
  for (auto& word : result) word = generator.next();
  return result;
}

TEST(Rng, the_reference_gives_the_published_outputs) {
  // The test vectors of the Rust crates rand_xoshiro (state 1, 2, 3, 4) and Rosetta Code's page on
  // splitmix64 (seed 1234567).
  EXPECT_EQ(draw(Xoshiro{{1, 2, 3, 4}}, 10),
            (Words{41943041u, 58720359u, 3588806011781223u, 3591011842654386u, 9228616714210784205u,
                   9973669472204895162u, 14011001112246962877u, 12406186145184390807u,
                   15849039046786891736u, 10450023813501588000u}));
  EXPECT_EQ(draw(SplitMix{1234567}, 5),
            (Words{6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                   4593380528125082431u, 16408922859458223821u}));
}

TEST(Rng, gives_what_the_reference_gives) {
  EXPECT_EQ(draw(Rng(0), 1000), draw(stream(0, "", 0, 0), 1000));
  EXPECT_EQ(draw(Rng(42, "batch", 12, 3), 1000), draw(stream(42, "batch", 12, 3), 1000));
  EXPECT_EQ(draw(Rng(7, "\xc3\xa4"), 10), draw(stream(7, "\xc3\xa4", 0, 0), 10));
}

TEST(Rng, gives_the_same_numbers_in_every_release) {
  // Computed by an independent program. If these change, every recorded run changes.
  EXPECT_EQ(draw(Rng(1), 4), (Words{3825626967351844277u, 17566753696122077947u,
                                    11185882260456108792u, 14759324878192231367u}));
  EXPECT_EQ(draw(Rng(42, "batch", 12), 4), (Words{16317404344530017432u, 17053314236260204840u,
                                                  1119085843906026841u, 9478553246836508250u}));
}

TEST(Rng, streams_differ_by_seed_purpose_and_each_index) {
  std::set<std::uint64_t> outputs;
  std::size_t drawn = 0;
  for (const std::uint64_t seed : {0u, 1u, 2u})
    for (const std::string purpose : {"", "a", "b", "ab", "ba", "batch", "init"})
      for (std::uint64_t first = 0; first < 5; ++first)
        for (std::uint64_t second = 0; second < 5; ++second)
          for (const std::uint64_t word : draw(Rng(seed, purpose, first, second), 4)) {
            outputs.insert(word);
            ++drawn;
          }
  // Chance repeats one of these 2100 words with probability 2100^2 / 2^65 = 1e-13.
  EXPECT_EQ(outputs.size(), drawn);
}

TEST(Rng, a_stream_does_not_depend_on_what_others_drew) {
  Rng other(5, "batch", 11);
  const Words before = draw(Rng(5, "batch", 12), 3);
  for (int i = 0; i < 100; ++i) other.next();
  EXPECT_EQ(draw(Rng(5, "batch", 12), 3), before);
}

TEST(Rng, uniform_is_in_0_to_1_with_53_bits_and_the_right_moments) {
  constexpr int count = 100000;
  Rng rng(3, "uniform");
  Xoshiro bits = stream(3, "uniform", 0, 0);
  double sum = 0, squares = 0, low = 1, high = 0;
  for (int i = 0; i < count; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ASSERT_EQ(u * 0x1p53, static_cast<double>(bits.next() >> 11));
    sum += u;
    squares += u * u;
    low = std::min(low, u);
    high = std::max(high, u);
  }
  // Five standard errors: u has variance 1/12, u^2 has 4/45.
  EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
  // The extremes of n draws are 1/n from the ends on average; 20/n is missed once in e^20 tries.
  EXPECT_LT(low, 20.0 / count);
  EXPECT_GT(high, 1 - 20.0 / count);
}

TEST(Rng, normal_has_the_moments_and_tails_of_the_normal_distribution) {
  constexpr int count = 200000;
  Rng rng(4, "normal");
  std::array<double, 5> moment{};
  double neighbours = 0, before = 0;
  int beyond = 0;
  for (int i = 0; i < count; ++i) {
    const double z = rng.normal();
    for (std::size_t power = 1; power < 5; ++power)
      moment[power] += std::pow(z, static_cast<double>(power)) / count;
    beyond += std::abs(z) > 1.959963984540054;  // 5 % of a normal distribution lie beyond
    neighbours += z * before / count;
    before = z;
  }
  // Five standard errors; the variance of z^k is E z^2k - (E z^k)^2 = 1, 2, 15, 96.
  const auto bound = [](double variance) { return 5 * std::sqrt(variance / count); };
  EXPECT_NEAR(moment[1], 0, bound(1));
  EXPECT_NEAR(moment[2], 1, bound(2));
  EXPECT_NEAR(moment[3], 0, bound(15));
  EXPECT_NEAR(moment[4], 3, bound(96));
  EXPECT_NEAR(static_cast<double>(beyond) / count, 0.05, bound(0.05 * 0.95));
  // Both numbers of a Box-Muller pair are used, and they are independent.
  EXPECT_NEAR(neighbours, 0, bound(1));
}

TEST(Rng, below_reaches_every_number_equally_often) {
  for (const std::uint64_t bound : {1u, 2u, 3u, 5u, 6u, 7u, 10u, 64u, 100u}) {
    Rng rng(5, "below", bound);
    const double expected = 1000;
    std::vector<double> counts(bound, 0);
    for (std::uint64_t i = 0; i < 1000 * bound; ++i) {
      const std::uint64_t drawn = rng.below(bound);
      ASSERT_LT(drawn, bound);
      ++counts[drawn];
    }
    double chi_squared = 0;
    for (const double seen : counts)
      chi_squared += (seen - expected) * (seen - expected) / expected;
    // chi^2 has mean and half its variance equal to its degrees of freedom; six deviations.
    const double freedom = static_cast<double>(bound) - 1;
    EXPECT_LE(chi_squared, freedom + 6 * std::sqrt(2 * freedom)) << "bound " << bound;
  }
}

TEST(Rng, below_redraws_what_would_not_divide_evenly) {
  // 2^64 numbers do not spread evenly over 3 * 2^62: without redrawing, every third result would
  // come twice as often, a share of 1/2 instead of 1/3.
  constexpr std::uint64_t bound = std::uint64_t{3} << 62;
  constexpr int count = 30000;
  Rng rng(6, "below");
  std::array<int, 3> seen{};
  for (int i = 0; i < count; ++i) ++seen[rng.below(bound) % 3];
  for (const int times : seen)  // five standard errors
    EXPECT_NEAR(static_cast<double>(times) / count, 1.0 / 3, 5 * std::sqrt(2.0 / 9 / count));
}

}  // namespace
}  // namespace phasor
