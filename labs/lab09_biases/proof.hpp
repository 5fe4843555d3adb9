// What proves slopes, buckets and the shift. The functions are handed in, so that a test can hand
// in wrong ones.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "labs/common/check_list.hpp"
#include "labs/lab09_biases/exercise.hpp"
#include "labs/lab09_biases/golden.hpp"
#include "phasor/analysis/score_map.hpp"

namespace phasor::lab09 {

/// What the learner wrote.
struct Written {
  std::function<std::vector<double>(std::size_t)> slopes;
  std::function<std::size_t(double, std::size_t, double, bool)> bucket;
  std::function<xt::xarray<double>(const xt::xarray<double>&)> shift;
};

/// Powers of two with broken exponents: two correct programs differ in the last digit.
inline constexpr double kRounding = 1e-14;

/// Why there is nothing to prove: not six slopes for 6 heads, no bucket below 32, or no 3 x 3
/// array from a 3 x 3 one. Empty when there is.
inline std::string unusable(const Written& written) {
  const std::size_t slopes = written.slopes(6).size(), bucket = written.bucket(1, 32, 128, true);
  const xt::xarray<double> shifted = written.shift(xt::ones<double>({3, 3}));
  // Above the diagonal it may leave what it likes.
  const auto three = shifted.shape();
  return first_problem(
      {slopes == 6 ? "" : fmt::format("alibi_slopes(6) gives {}, wanted are 6", slopes),
       bucket < 32
           ? ""
           : fmt::format("t5_bucket(1, 32, 128, true) is {}, wanted is one below 32", bucket),
       shifted.dimension() == 2 && three[0] == 3 && three[1] == 3
           ? ""
           : array_problem("relative_shift of 3 x 3", shifted, {3, 3})});
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"slopes", "2^(-8h/H) for every H, h from 0, slopes that were sorted"},
    {"32 buckets", "a rounded logarithm, past and future exchanged, one side only"},
    {"12 buckets", "parameters that were typed in"},
    {"10 buckets", "a whole number that was rounded to a little less"},
    {"billion", "a missing end"},
    {"largest difference from",
     "rows that slide the other way, or by one step too many; more keys than queries"},
};

/// How many distances, from `first` on, have another bucket than expected.
inline double wrong_buckets(const Written& written, double first, std::size_t buckets, double most,
                            bool causal, std::span<const std::size_t> expected) {
  double wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    wrong += written.bucket(first + static_cast<double>(i), buckets, most, causal) != expected[i];
  return wrong;
}

/// Scores of random queries with sines and cosines of the distance, twice: shifted, and summed in a
/// double loop over queries and keys. Largest difference where the key is not in the future.
inline double shift_error(const Written& written, std::size_t T, std::size_t S) {
  constexpr std::size_t D = 8;
  Rng rng(1, "shift");
  const xt::xarray<double> queries = normal_rows(T, D, 1, rng);
  const xt::xarray<double> of_distance = normal_rows(S, D, 1, rng);  // row r: distance r
  xt::xarray<double> falling = of_distance;                          // row c: distance S - 1 - c
  for (std::size_t c = 0; c < S; ++c)
    for (std::size_t e = 0; e < D; ++e) falling(c, e) = of_distance(S - 1 - c, e);
  const xt::xarray<double> shifted = written.shift(score_map(queries, falling));
  if (shifted.dimension() != 2 || shifted.shape(0) != T || shifted.shape(1) != S)
    return std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t i = 0; i < T; ++i)
    for (std::size_t j = 0; j <= S - T + i; ++j) {
      double sum = 0;
      for (std::size_t e = 0; e < D; ++e) sum += queries(i, e) * of_distance(S - T + i - j, e);
      most = larger(most, std::abs(shifted(i, j) - sum));
    }
  return most;
}

inline std::vector<ListedCheck> slope_checks(const Written& written) {
  std::vector<ListedCheck> all;
  const auto add = [&](std::size_t heads, std::span<const double> expected) {
    all.push_back(comparison(
        fmt::format("slopes of {} head{}: largest difference from the authors' recursion", heads,
                    heads == 1 ? "" : "s"),
        [&] { return vector_of(written.slopes(heads)); }, vector_of(expected), kRounding));
  };
  add(1, kGoldenSlopes1);
  add(6, kGoldenSlopes6);
  add(8, kGoldenSlopes8);
  add(12, kGoldenSlopes12);
  return all;
}

inline std::vector<ListedCheck> bucket_checks(const Written& written) {
  std::vector<ListedCheck> all;
  const auto add = [&](const std::string& what, double first, std::size_t buckets, double most,
                       bool causal, std::span<const std::size_t> expected) {
    all.push_back({fmt::format("{} buckets up to {:g}, {}: wrong ones among {} distances", buckets,
                               most, what, expected.size()),
                   measured_or_infinite([&] {
                     return wrong_buckets(written, first, buckets, most, causal, expected);
                   }),
                   0});
  };
  add("causal", -5, 32, 128, true, kGoldenCausal);
  add("both sides", -150, 32, 128, false, kGoldenBoth);
  add("causal", 0, 12, 50, true, kGoldenSmall);
  add("causal", 0, 10, 160, true, kGoldenWhole);
  all.push_back({"a distance of a billion has the last bucket", measured_or_infinite([&] {
                   return static_cast<double>(written.bucket(1e9, 32, 128, true));
                 }),
                 0, 31});
  return all;
}

inline std::vector<ListedCheck> shift_checks(const Written& written) {
  std::vector<ListedCheck> all;
  all.push_back(comparison(
      "3 queries of 5 tokens: largest difference from NumPy",
      [&] { return written.shift(matrix_of(kGoldenByDistance, 5)); }, matrix_of(kGoldenByKey, 5),
      kRounding));
  for (const auto& [T, S] : {std::pair<std::size_t, std::size_t>(1, 1), {16, 16}, {7, 20}}) {
    const std::size_t queries = T, keys = S;
    // Sums of eight products, taken in the same order or another: some 1e-15 each.
    all.push_back(
        {fmt::format("{} x {} scores: largest difference from the double loop", queries, keys),
         measured_or_infinite([&] { return shift_error(written, queries, keys); }), 1e-13});
  }
  return all;
}

/// All of them.
inline std::vector<ListedCheck> prove(const Written& written) {
  std::vector<ListedCheck> all = slope_checks(written);
  for (const auto& part : {bucket_checks(written), shift_checks(written)})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace phasor::lab09
