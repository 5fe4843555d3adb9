// What proves an attention and a permutation. The lab runs it on what its learner wrote, a test on
// typical mistakes.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "labs/common/check_list.hpp"
#include "labs/lab00_order/golden.hpp"
#include "phasor/analysis/attention.hpp"

namespace phasor::lab00 {

using Permutation = std::function<xt::xarray<double>(const xt::xarray<double>& x,
                                                     const std::vector<std::size_t>& order)>;

// Two correct programs add up in another order: some ten roundings of 1e-16 on numbers near 1.
// 1e-12 leaves room for more, and a mistake is off by a hundredth or more.
inline constexpr double kRounding = 1e-12;

/// sin(1 + 3 row + 5 column + 7 salt), the formula of tests/golden/lab00_order.py.
inline xt::xarray<double> wave(std::size_t rows, std::size_t columns, double salt) {
  xt::xarray<double> result = xt::zeros<double>({rows, columns});
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      result(i, j) =
          std::sin(1 + 3 * static_cast<double>(i) + 5 * static_cast<double>(j) + 7 * salt);
  return result;
}

/// 4 queries over 5 keys: all of them, or query i the keys up to i + 1.
inline xt::xarray<double> probe_mask(bool masked) {
  xt::xarray<double> mask = xt::ones<double>({4, 5});
  for (std::size_t i = 0; masked && i < 4; ++i)
    for (std::size_t j = i + 2; j < 5; ++j) mask(i, j) = 0;
  return mask;
}

/// The probe of the golden values, with queries `factor` times as large.
inline xt::xarray<double> probe(const AttentionFunction& attention, bool masked, double factor) {
  xt::xarray<double> q = wave(4, 3, 1);
  for (double& value : q) value *= 2 * factor;
  return attention(q, wave(5, 3, 2), wave(5, 2, 3), probe_mask(masked));
}

/// The largest difference from the mean of V when every query points away from all keys, which are
/// alike: logits of some -6000, whose exp is 0 unless the largest is subtracted first.
inline double misfit_error(const AttentionFunction& attention) {
  xt::xarray<double> q = xt::zeros<double>({4, 3}), k = xt::zeros<double>({5, 3});
  for (std::size_t i = 0; i < 4; ++i) q(i, 0) = -1e4;
  for (std::size_t j = 0; j < 5; ++j) k(j, 0) = 1;
  const xt::xarray<double> v = wave(5, 2, 3);
  xt::xarray<double> mean = xt::zeros<double>({4, 2});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t e = 0; e < 2; ++e) mean(i, e) += v(j, e) / 5;
  return largest_difference(attention(q, k, v, probe_mask(false)), mean);
}

/// The weights of the masked probe: what comes out when the identity goes in as V.
inline xt::xarray<double> probe_weights(const AttentionFunction& attention) {
  return attention(wave(4, 3, 1), wave(5, 3, 2), identity(5), probe_mask(true));
}

/// The largest weight of a hidden key, and how far a row's sum is from 1; infinite when the shape
/// is wrong or a weight is no number.
inline double largest_hidden(const xt::xarray<double>& weights) {
  if (!array_problem("weights", weights, {4, 5}).empty())
    return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 2; j < 5; ++j) largest = std::max(largest, std::abs(weights(i, j)));
  return largest;
}
inline double largest_sum_error(const xt::xarray<double>& weights) {
  if (!array_problem("weights", weights, {4, 5}).empty())
    return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 5; ++j) sum += weights(i, j);
    largest = std::max(largest, std::abs(sum - 1));
  }
  return largest;
}

/// f is one layer, x + attention(x Wq, x Wk, x Wv) Wo. The least and the largest |f(Px) - P f(x)|
/// over the 119 orders of five words that are not the given one.
struct Equivariance {
  double least, most;
};
inline Equivariance equivariance(const AttentionFunction& attention, const Permutation& permute,
                                 bool causal, std::uint64_t seed) {
  constexpr std::size_t kWords = 5, kWidth = 16;
  const xt::xarray<double> x = random_tokens(seed, kWords, kWidth);
  const std::vector<AttentionLayer> layer = random_layers(seed, 1, kWidth);
  const xt::xarray<double> mask = causal ? causal_mask(kWords) : full_mask(kWords);
  const auto f = [&](const xt::xarray<double>& rows) {
    return run_stack(layer, rows, mask, attention).outputs[0];
  };
  const xt::xarray<double> fx = f(x);
  std::vector<std::size_t> order(kWords);
  std::iota(order.begin(), order.end(), 0);
  Equivariance found{std::numeric_limits<double>::infinity(), 0};
  while (std::next_permutation(order.begin(), order.end())) {
    const double difference = largest_difference(f(permute(x, order)), permute(fx, order));
    found.least = std::min(found.least, difference);
    found.most = std::max(found.most, difference);
  }
  return found;
}

/// Why there is nothing to prove: an array of another shape, or what is no number. Empty when
/// there is.
inline std::string unusable(const AttentionFunction& attention, const Permutation& permute) {
  return first_problem({
      array_problem("attention of 4 queries over 5 keys, V 5 x 2,", probe(attention, false, 1),
                    {4, 2}),
      array_problem("attention of the same under a mask", probe(attention, true, 1), {4, 2}),
      array_problem("attention of the same, V 5 x 5,", probe_weights(attention), {4, 5}),
      array_problem("permute of 3 x 2", permute(wave(3, 2, 0), {1, 2, 0}), {3, 2}),
  });
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"permute", "the order read the other way round"},
    {"with a mask", "a mask that is ignored or turned round"},
    {"4 queries", "no sqrt(D), a softmax down the columns, mixed-up shapes"},
    {"1000 times", "exp without the largest logit subtracted"},
    {"fit no key", "a largest logit that is looked for from 0 on"},
    {"weight", "a mask applied after the softmax"},
    {"without a mask", "attention that looks at places"},
    {"under a causal mask", "a mask that goes by the words and not by their places"},
};

/// All proofs but the one that under a mask the order counts, which is a statement.
inline std::vector<ListedCheck> prove(const AttentionFunction& attention,
                                      const Permutation& permute, std::uint64_t seed) {
  const xt::xarray<double> x = {{0, 1}, {10, 11}, {20, 21}};
  const xt::xarray<double> turned = {{10, 11}, {20, 21}, {0, 1}};
  const xt::xarray<double> weights = probe_weights(attention);
  return {
      comparison(
          "permute(x, {1, 2, 0}) gives rows 1, 2 and 0: largest difference",
          [&] {
            return permute(x, {1, 2, 0});
          },
          turned, 0),
      comparison(
          "4 queries, 5 keys: largest difference from NumPy",
          [&] { return probe(attention, false, 1); }, matrix_of(kGoldenOpen, 2), kRounding),
      comparison(
          "the same with a mask: largest difference from NumPy",
          [&] { return probe(attention, true, 1); }, matrix_of(kGoldenMasked, 2), kRounding),
      // Logits a thousand times as large carry a rounding a thousand times as large.
      comparison(
          "queries 1000 times as large: largest difference from NumPy",
          [&] { return probe(attention, false, 1000); }, matrix_of(kGoldenLarge, 2),
          1000 * kRounding),
      {"queries that fit no key: largest difference from the mean of V", misfit_error(attention),
       kRounding},
      {"largest weight of a hidden key", largest_hidden(weights), 0},
      {"every row of weights sums to 1: largest difference", largest_sum_error(weights), kRounding},
      {"f(Px) = P f(x) without a mask, 119 orders of five words: largest difference",
       equivariance(attention, permute, false, seed).most, kRounding},
  };
}

}  // namespace phasor::lab00
