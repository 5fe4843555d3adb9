// Rotations look whole positions up in a table that a thread keeps. What comes out must be what it
// is without: a position that is not whole, 0.5, among the others has all of them computed.
#include "phasor/position/rotation.hpp"

#include <fmt/ranges.h>

#include <barrier>
#include <thread>

#include "phasor/ops/layout.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr std::size_t kHeads = 2, kWidth = 10;

struct Turn {
  std::vector<double> frequencies;
  Pairing pairing;
  double factor = 1;
};

Turn interleaved(double base = 10000, double factor = 1) {
  return {rotation_frequencies(base, 8), {4, true}, factor};  // two columns stay
}
Turn halves(double base = 10000, double factor = 1) {
  return {rotation_frequencies(base, 10), {5, false}, factor};
}

struct Turned {
  Tensor y, dx;  // the result, and the gradient for a cotangent of normal numbers
};

Turned turned(const Tensor& x, const Tensor& dy, const Positions& positions, const Turn& turn) {
  const Var input(x, true);
  const Var y = rotate_pairs(input, positions, turn.frequencies, turn.pairing, turn.factor);
  backward(y, dy);
  return {y.value(), input.grad()};
}

Turned by_table(const Positions& positions, const Turn& turn) {
  const Shape shape{2, kHeads, positions.size(), kWidth};
  return turned(normal(shape, 1), normal(shape, 2), positions, turn);
}

/// The same numbers with one more token at 0.5, which is taken away again.
Turned without_table(Positions positions, const Turn& turn) {
  const std::size_t T = positions.size();
  const Shape shape{2, kHeads, T, kWidth}, one{2, kHeads, 1, kWidth};
  const auto longer = [&](std::uint64_t seed) {
    return Tensor(concatenate({Var(normal(shape, seed)), Var(normal(one, 3))}, 2).value());
  };
  positions.push_back(0.5);
  const Turned all = turned(longer(1), longer(2), positions, turn);
  return {slice(Var(all.y), 2, 0, T).value(), slice(Var(all.dx), 2, 0, T).value()};
}

void expect_same_bits(const Positions& positions, const Turn& turn) {
  const Turned got = by_table(positions, turn), wanted = without_table(positions, turn);
  EXPECT_TRUE(identical(got.y, wanted.y)) << fmt::format("{}", positions);
  EXPECT_TRUE(identical(got.dx, wanted.dx)) << fmt::format("{}", positions);
}

/// The largest error of `got`, which is `x` turned or turned back, against angles, cosines and
/// products in double: as a share of the sum of magnitudes.
double error_of(const Tensor& got, const Tensor& x, const Positions& positions, const Turn& turn,
                double direction) {
  const auto at = [](const Tensor& tensor, std::size_t i) {
    return static_cast<double>(tensor.data()[i]);
  };
  double largest = 0;
  for (std::size_t row = 0; row * kWidth < x.size(); ++row) {
    for (std::size_t c = 0; c < turn.pairing.pairs; ++c) {
      const double angle = direction * positions[row % positions.size()] * turn.frequencies[c];
      const std::size_t first = row * kWidth + turn.pairing.first(c),
                        second = row * kWidth + turn.pairing.second(c);
      const double a = at(x, first), b = at(x, second);
      const double cosine = turn.factor * std::cos(angle), sine = turn.factor * std::sin(angle);
      const double size = turn.factor * (std::abs(a) + std::abs(b));
      largest = larger(largest, std::abs(at(got, first) - (a * cosine - b * sine)) / size);
      largest = larger(largest, std::abs(at(got, second) - (a * sine + b * cosine)) / size);
    }
    for (std::size_t i = 2 * turn.pairing.pairs; i < kWidth; ++i)
      if (at(got, row * kWidth + i) != at(x, row * kWidth + i)) return 1;
  }
  return largest;
}

/// Of the result, and of the gradient, which is the cotangent turned back.
double error_of(const Positions& positions, const Turn& turn) {
  const Shape shape{2, kHeads, positions.size(), kWidth};
  const Turned both = by_table(positions, turn);
  return larger(error_of(both.y, normal(shape, 1), positions, turn, 1),
                error_of(both.dx, normal(shape, 2), positions, turn, -1));
}

// A cosine, a product and a sum are rounded, each by half of it.
constexpr double kRounding = 2 * kEpsilon;

REAL_TEST(Rotation, of_whole_positions_is_that_without_a_table) {
  for (const Turn& turn : {interleaved(), halves(), halves(100, 0.7)})
    for (const Positions& positions :
         {Positions{0}, Positions{0, 1, 2, 3}, Positions{5, 6, 7}, Positions{7, 1, 1, 0},
          Positions{100, 3, 1000}, Positions{65535, 2}, consecutive_positions(40, 30)}) {
      expect_same_bits(positions, turn);
      EXPECT_LE(error_of(positions, turn), kRounding) << fmt::format("{}", positions);
    }
}

REAL_TEST(Rotation, of_positions_that_no_table_has) {
  for (const Turn& turn : {interleaved(), halves(100, 0.7)})
    for (const Positions& positions :
         {Positions{65535, 65536, 65537}, Positions{65536}, Positions{1e6, 3}, Positions{1e9},
          Positions{-1, 0, 1}, Positions{-65536}, Positions{0.25, 3, 7.75}}) {
      expect_same_bits(positions, turn);
      EXPECT_LE(error_of(positions, turn), kRounding) << fmt::format("{}", positions);
    }
  const Turned bad = by_table({2, std::nan(""), 3}, interleaved());
  EXPECT_TRUE(std::isnan(bad.y(0, 0, 1, 0)));
  EXPECT_FALSE(std::isnan(bad.y(0, 0, 0, 0)));
}

/// The table is of one set of frequencies and one factor: each change of either replaces it.
REAL_TEST(Rotation, of_changing_frequencies_and_factors) {
  const Turn turns[] = {halves(),         halves(100),   halves(100, 0.7), halves(100, 1.3),
                        halves(10000, 2), interleaved(), interleaved(100), interleaved(10000, 0.5)};
  const Positions places[] = {{0, 1, 2, 3}, consecutive_positions(20, 10), {2, 0}};
  for (int round = 0; round < 2; ++round)
    for (const Positions& positions : places)
      for (const Turn& turn : turns) {
        EXPECT_LE(error_of(positions, turn), kRounding) << fmt::format("{}", positions);
        EXPECT_LE(error_of(positions, turn), kRounding) << "and once more, from the table";
        expect_same_bits(positions, turn);
      }
}

/// Rows that the table had are the same once it is longer.
REAL_TEST(Rotation, of_a_table_that_grows) {
  const Turn turn = interleaved(777);  // new to every thread
  const Turned before = by_table({0, 1, 2, 3}, turn);
  for (const double last : {4.0, 7.0, 8.0, 1023.0, 1024.0, 5000.0}) {
    expect_same_bits({last, last - 1}, turn);
    const Turned after = by_table({0, 1, 2, 3}, turn);
    EXPECT_TRUE(identical(after.y, before.y)) << last;
    EXPECT_TRUE(identical(after.dx, before.dx)) << last;
  }
}

/// A graph keeps the table it was made with, also when backward runs on another thread.
REAL_TEST(Rotation, has_its_gradient_after_the_table_was_replaced) {
  const Positions positions{3, 4, 9};
  const Turn turn = halves(), other = halves(50, 3);
  const Shape shape{2, kHeads, 3, kWidth};
  const Tensor wanted = without_table(positions, turn).dx;
  for (const bool elsewhere : {false, true})
    for (const std::size_t before : {10U, 3000U}) {  // rows at first: it then grows, or does not
      by_table({0, 1}, other);
      by_table(consecutive_positions(before), turn);
      const Var x(normal(shape, 1), true);
      const Var y = rotate_pairs(x, positions, turn.frequencies, turn.pairing, turn.factor);
      by_table(consecutive_positions(3000), turn);
      by_table({0, 1}, other);
      const auto run = [&] { backward(y, normal(shape, 2)); };
      if (elsewhere)
        std::thread(run).join();
      else
        run();
      EXPECT_TRUE(identical(x.grad(), wanted)) << before;
    }
}

REAL_TEST(Rotation, is_the_same_on_every_thread) {
  const Positions positions = consecutive_positions(30, 2);
  const Turned wanted = by_table(positions, interleaved());
  std::vector<int> wrong(4, 0);
  std::barrier all_there(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < wrong.size(); ++i)
    threads.emplace_back([&, i] {
      all_there.arrive_and_wait();
      for (int round = 0; round < 200; ++round) {
        by_table({0, 1, 2}, halves(100 + static_cast<double>(i)));
        const Turned got = by_table(positions, interleaved());
        wrong[i] += identical(got.y, wanted.y) && identical(got.dx, wanted.dx) ? 0 : 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
