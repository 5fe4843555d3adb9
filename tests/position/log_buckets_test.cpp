// Rows by the logarithm of a distance, against whole-number arithmetic
// (tests/golden/log_buckets.py).
#include <cmath>
#include <cstdint>

#include "phasor/core/digest.hpp"
#include "phasor/position/deberta.hpp"
#include "phasor/position/log_steps.hpp"
#include "phasor/position/t5_bias.hpp"
#include "tests/position/log_buckets_golden.hpp"
#include "tests/real_test.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// Rows are chosen in double in both builds: once through all sizes is enough.
#ifndef PHASOR_DOUBLE

constexpr std::size_t kLeast = 4, kMost = 64, kLargestDistance = 1024;

/// A number as 32 bits, lowest byte first.
void add(Digest& digest, std::int64_t number) {
  const auto bits = static_cast<std::uint32_t>(number);
  for (int shift = 0; shift < 32; shift += 8) {
    const char byte = static_cast<char>((bits >> shift) & 0xFF);
    digest.add({&byte, 1});
  }
}

/// Adds every distance at which the row changes, and the row from there on.
template <class Row>
void add_changes(Digest& digest, std::int64_t first, std::int64_t last, const Row& row) {
  std::int64_t before = -1;
  for (std::int64_t rel = first; rel <= last; ++rel) {
    const std::int64_t now = row(static_cast<double>(rel));
    if (now == before) continue;
    add(digest, rel);
    add(digest, now);
    before = now;
  }
}

/// The digest over all max distances for `count` buckets: they are above count / 2 + `above`.
/// row(count, most, rel).
template <class Row>
std::uint64_t digest_of(std::size_t count, std::size_t above, bool with_future, const Row& row) {
  Digest digest;
  for (std::size_t most = count / 2 + above + 1; most <= kLargestDistance; ++most) {
    const auto end = static_cast<std::int64_t>(most) + 8;
    add_changes(digest, with_future ? -end : 0, end,
                [&](double rel) { return row(static_cast<double>(most), rel); });
  }
  return digest.value();
}

std::uint64_t digest_of_t5(std::size_t count, bool causal) {
  return digest_of(count, 0, !causal, [&](double most, double rel) {
    return static_cast<std::int64_t>(t5_bucket(rel, count, most, causal));
  });
}

REAL_TEST(LogBuckets, of_t5_are_exact_for_a_causal_model) {
  for (std::size_t count = kLeast; count <= kMost; ++count)
    EXPECT_EQ(digest_of_t5(count, true), log_buckets_golden::kCausal[count - kLeast])
        << count << " buckets";
}

REAL_TEST(LogBuckets, of_t5_are_exact_to_both_sides) {
  for (std::size_t count = kLeast; count <= kMost; ++count)
    EXPECT_EQ(digest_of_t5(count, false), log_buckets_golden::kBothSides[count - kLeast])
        << count << " buckets";
}

REAL_TEST(LogBuckets, of_deberta_are_exact_and_end_at_the_last_distance) {
  for (std::size_t span = kLeast; span <= kMost; ++span)
    EXPECT_EQ(digest_of(span, 1, true,
                        [&](double most, double rel) {
                          return DebertaRows{static_cast<double>(span), most, true}.of(rel);
                        }),
              log_buckets_golden::kDeberta[span - kLeast])
        << "span " << span;
}
#endif

/// Powers of two, and one border that only a fraction in lowest terms shows to be whole:
/// 12 = 8 sqrt(18 / 8).
REAL_TEST(LogBuckets, begin_where_exact_arithmetic_has_a_whole_number) {
  struct Border {
    std::size_t buckets;
    double most, first;
    std::size_t bucket;
  };
  for (const Border& border :
       {Border{10, 160, 10, 6}, Border{10, 160, 20, 7}, Border{10, 160, 80, 9},
        Border{20, 320, 20, 12}, Border{40, 640, 40, 24}, Border{16, 18, 12, 12}}) {
    EXPECT_EQ(t5_bucket(border.first - 1, border.buckets, border.most, true), border.bucket - 1)
        << border.buckets << " buckets, before " << border.first;
    EXPECT_EQ(t5_bucket(border.first, border.buckets, border.most, true), border.bucket)
        << border.buckets << " buckets, at " << border.first;
  }
}

/// The released code clamps a distance to M - 1 before it takes the logarithm: with 2N rows the
/// furthest future has row 1, not 0.
REAL_TEST(LogBuckets, of_deberta_beyond_the_max_distance_are_those_of_the_last) {
  const DebertaRows rows{8, 40, true};
  for (const double far : {39.0, 40.0, 41.0, 4000.0, 1e9}) {
    EXPECT_EQ(rows.of(far), 15) << far;
    EXPECT_EQ(rows.of(-far), 1) << far;
  }
  const DebertaRows odd{9, 40,
                        true};  // both halves are 4, so row 0 and the last two are never used
  EXPECT_EQ(odd.of(4000), 16);
  EXPECT_EQ(odd.of(-4000), 2);
}

REAL_TEST(LogSteps, are_whole_where_powers_are_equal_and_nowhere_else) {
  EXPECT_EQ(log_steps(80, 5, 160, 5), 4);
  EXPECT_EQ(log_steps(5, 5, 160, 5), 0);
  EXPECT_EQ(log_steps(160, 5, 160, 5), 5);
  EXPECT_EQ(log_steps(12, 8, 18, 8), 4);
  // Beside a border, and a border that no whole number meets: 8 sqrt(19 / 8) = 12.33.
  EXPECT_NE(log_steps(81, 5, 160, 5), 4);
  EXPECT_LT(log_steps(12, 8, 19, 8), 4);
  EXPECT_GT(log_steps(13, 8, 19, 8), 4);
  // 43.5^11 and 100.6^9 agree in ten digits and differ.
  EXPECT_NE(log_steps(435, 10, 1006, 11), 9);
  EXPECT_NEAR(log_steps(435, 10, 1006, 11), 9, 1e-10);
  EXPECT_NEAR(log_steps(2.5, 2, 128, 6), 6 * std::log(1.25) / std::log(64), 1e-15);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
