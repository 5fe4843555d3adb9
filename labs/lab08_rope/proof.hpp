// What proves a rotation and its backward. The functions are handed in, so that a test can hand in
// wrong ones.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "labs/common/check_list.hpp"
#include "labs/lab08_rope/exercise.hpp"
#include "labs/lab08_rope/golden.hpp"
#include "phasor/analysis/score_map.hpp"

namespace phasor::lab08 {

using Rope = std::function<xt::xarray<double>(const xt::xarray<double>&, const std::vector<double>&,
                                              double, RopePairing)>;

/// What the learner wrote.
struct Written {
  Rope forward, backward;
};

inline constexpr double kBase = 10000;

/// Two correct programs round frequency and angle differently: at angles up to some hundred radians
/// by less than 1e-13. Any mistake in the formula shows in the first three digits.
inline constexpr double kRounding = 1e-11;

inline std::vector<double> counted(std::size_t count, double first = 0) {
  std::vector<double> positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[i] = first + static_cast<double>(i);
  return positions;
}

/// The golden values as an array, [5, 8].
inline xt::xarray<double> golden_array(std::span<const double> values) {
  return matrix_of(values, kGoldenWidth);
}

inline std::string name_of(RopePairing pairing) {
  return pairing == RopePairing::kInterleaved ? "interleaved" : "half";
}

/// Why there is nothing to prove: three rows of width 4 do not become as many finite numbers.
/// Empty when they do.
inline std::string unusable(const Written& written) {
  const xt::xarray<double> rows = xt::ones<double>({3, 4});
  const auto problem = [&](const char* name, const Rope& rope) {
    return array_problem(name, rope(rows, counted(3), kBase, RopePairing::kInterleaved), {3, 4});
  };
  return first_problem({problem("apply_rope of 3 x 4", written.forward),
                        problem("apply_rope_backward of 3 x 4", written.backward)});
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"values, base 50",
     "a base that was typed in, an exponent c/D, a rotation the other way round, the wrong "
     "columns"},
    {"keeps its length", "an x that was overwritten before y was computed"},
    {"equal offsets", "angles that are not in proportion to the position"},
    {"gradient, base 50", "the same mistakes as in the values"},
    {"finite differences", "the forward once more instead of its transpose"},
    {"another order", "pairs c and D - 1 - c, or a frequency that goes by column"},
    {"refused", "a refusal that is missing"},
    {"library's scheme", "all of it once more, in float"},
};

/// Largest relative change of a row's length.
inline double change_of_length(const Written& written, RopePairing pairing) {
  Rng rng(1, "lengths");
  const xt::xarray<double> rows = normal_rows(256, 32, 1, rng);
  const xt::xarray<double> turned = written.forward(rows, counted(256), kBase, pairing);
  double change = 0;
  for (std::size_t t = 0; t < rows.shape(0); ++t) {
    double before = 0, after = 0;
    for (std::size_t c = 0; c < rows.shape(1); ++c) {
      before += rows(t, c) * rows(t, c);
      after += turned(t, c) * turned(t, c);
    }
    change = larger(change, std::abs(std::sqrt(after / before) - 1));
  }
  return change;
}

/// score(m, n) of one random query and one random key that stand at every position.
inline xt::xarray<double> content_map(const Written& written, RopePairing pairing, std::size_t T,
                                      std::size_t D = 32) {
  Rng rng(1, "content");
  const xt::xarray<double> pair = normal_rows(2, D, 1, rng);
  return score_map(written.forward(repeated_row(pair, 0, T), counted(T), kBase, pairing),
                   written.forward(repeated_row(pair, 1, T), counted(T), kBase, pairing));
}

/// Column i of the result is column order[i] of the rows.
inline xt::xarray<double> in_order(const xt::xarray<double>& rows,
                                   const std::vector<std::size_t>& order) {
  xt::xarray<double> result = rows;
  for (std::size_t t = 0; t < rows.shape(0); ++t)
    for (std::size_t i = 0; i < order.size(); ++i) result(t, i) = rows(t, order[i]);
  return result;
}

/// |half(P x) - P interleaved(x)|, P bringing even columns to the front and odd ones behind them.
inline double pairing_error(const Written& written) {
  constexpr std::size_t D = 16, T = 12;
  Rng rng(1, "pairings");
  const xt::xarray<double> rows = normal_rows(T, D, 1, rng);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < D; ++i) order.push_back(i < D / 2 ? 2 * i : 2 * (i - D / 2) + 1);
  return largest_difference(
      written.forward(in_order(rows, order), counted(T), kBase, RopePairing::kHalf),
      in_order(written.forward(rows, counted(T), kBase, RopePairing::kInterleaved), order));
}

/// Largest difference between backward and central differences of sum(dy * forward(rows)), for a
/// random dy. The function is linear in the rows, so that differences have rounding alone.
inline double gradient_error(const Written& written, RopePairing pairing) {
  constexpr std::size_t D = 8, T = 5;
  constexpr double kStep = 0.5;
  Rng rng(1, "gradient");
  xt::xarray<double> rows = normal_rows(T, D, 1, rng);
  const xt::xarray<double> dy = normal_rows(T, D, 1, rng);
  const std::vector<double> positions = counted(T, 3);
  const auto loss = [&] {
    const xt::xarray<double> y = written.forward(rows, positions, kBase, pairing);
    double sum = 0;
    for (std::size_t i = 0; i < dy.size(); ++i) sum += dy.data()[i] * y.data()[i];
    return sum;
  };
  const xt::xarray<double> gradient = written.backward(dy, positions, kBase, pairing);
  double error = gradient.size() == rows.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows.size() && std::isfinite(error); ++i) {
    const double value = rows.data()[i];
    rows.data()[i] = value + kStep;
    const double above = loss();
    rows.data()[i] = value - kStep;
    const double difference = (above - loss()) / (2 * kStep);
    rows.data()[i] = value;
    error = larger(error, std::abs(difference - gradient.data()[i]));
  }
  return error;
}

/// The checks of one pairing.
inline std::vector<ListedCheck> pairing_checks(const Written& written, RopePairing pairing) {
  const bool interleaved = pairing == RopePairing::kInterleaved;
  const std::string name = name_of(pairing);
  const std::vector<double> places(kGoldenPlaces.begin(), kGoldenPlaces.end());
  const xt::xarray<double> rows = golden_array(kGoldenRows), dy = golden_array(kGoldenCotangent);
  const auto entry = [&](const std::string& what, const std::function<double()>& measure) {
    return ListedCheck{fmt::format("{}: {}", name, what), measured_or_infinite(measure), kRounding};
  };
  return {
      comparison(
          name + ": values, base 50: largest difference from PyTorch",
          [&] { return written.forward(rows, places, kGoldenBase, pairing); },
          golden_array(interleaved ? kGoldenInterleaved : kGoldenHalf), kRounding),
      entry("every row keeps its length", [&] { return change_of_length(written, pairing); }),
      entry("products at equal offsets differ by, as a share of the largest",
            [&] { return relative_spread_on_diagonals(content_map(written, pairing, 48)); }),
      comparison(
          name + ": gradient, base 50: largest difference from PyTorch",
          [&] { return written.backward(dy, places, kGoldenBase, pairing); },
          golden_array(interleaved ? kGoldenInterleavedGradient : kGoldenHalfGradient), kRounding),
      entry("gradient: largest difference from finite differences",
            [&] { return gradient_error(written, pairing); })};
}

/// All of them.
inline std::vector<ListedCheck> prove(const Written& written) {
  std::vector<ListedCheck> all = pairing_checks(written, RopePairing::kInterleaved);
  for (ListedCheck& check : pairing_checks(written, RopePairing::kHalf))
    all.push_back(std::move(check));
  all.push_back({"half is interleaved with its columns in another order",
                 measured_or_infinite([&] { return pairing_error(written); }), kRounding});
  const auto refuses = [&](const std::string& what, std::size_t width, std::size_t positions) {
    const xt::xarray<double> rows = xt::ones<double>({std::size_t{3}, width});
    all.push_back(refusal(
        what, [&] { written.forward(rows, counted(positions), kBase, RopePairing::kHalf); }));
  };
  refuses("an odd width is refused", 5, 3);
  refuses("three rows with two positions are refused", 4, 2);
  return all;
}

}  // namespace phasor::lab08
