#include "phasor/course/order/word_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor {
namespace {

constexpr std::size_t kWidth = 16;
constexpr double kBase = 10000;

xt::xarray<double> mask_of(bool causal, std::size_t size) {
  return causal ? causal_mask(size) : full_mask(size);
}

/// |a - b| / |a| of two rows of equal length.
double relative(const double* a, const double* b) {
  double difference = 0, size = 0;
  for (std::size_t c = 0; c < kWidth; ++c) {
    difference += (a[c] - b[c]) * (a[c] - b[c]);
    size += a[c] * a[c];
  }
  return std::sqrt(difference / size);
}

const double* row(const xt::xarray<double>& rows, std::size_t place) {
  check(rows.dimension() == 2 && place < rows.shape(0) && rows.shape(1) == kWidth,
        "[word order] attention must give rows of width {}, got {}", kWidth,
        fmt::join(rows.shape(), " x "));
  return rows.data() + place * kWidth;
}

xt::xarray<double> mean_row(const xt::xarray<double>& rows) {
  xt::xarray<double> mean = xt::zeros<double>({rows.shape(1)});
  for (std::size_t t = 0; t < rows.shape(0); ++t)
    for (std::size_t c = 0; c < rows.shape(1); ++c)
      mean(c) += rows(t, c) / static_cast<double>(rows.shape(0));
  return mean;
}

}  // namespace

std::string name_of(const Condition& condition) {
  return fmt::format("{}, {}", condition.causal ? "causal mask" : "no mask",
                     condition.encoded ? "with position" : "no position");
}

StackPass read_sentence(const std::vector<std::size_t>& sentence, const Condition& condition,
                        std::size_t layers, std::uint64_t seed, const Evidence& evidence) {
  const xt::xarray<double> vectors = random_tokens(seed, kWords.size(), kWidth);
  xt::xarray<double> x = xt::zeros<double>({sentence.size(), kWidth});
  for (std::size_t place = 0; place < sentence.size(); ++place)
    for (std::size_t c = 0; c < kWidth; ++c) x(place, c) = vectors(sentence[place], c);
  if (condition.encoded) x += evidence.encode(sentence.size(), kWidth, kBase);
  return run_stack(random_layers(seed, layers, kWidth), x,
                   mask_of(condition.causal, sentence.size()), evidence.attend);
}

xt::xarray<double> pair_weights(const std::vector<std::size_t>& sentence,
                                const Condition& condition, std::size_t layer, std::uint64_t seed,
                                const Evidence& evidence) {
  const xt::xarray<double> places =
      read_sentence(sentence, condition, layer + 1, seed, evidence).weights[layer];
  xt::xarray<double> words = places;
  for (std::size_t i = 0; i < sentence.size(); ++i)
    for (std::size_t j = 0; j < sentence.size(); ++j)
      words(sentence[i], sentence[j]) = places(i, j);
  return words;
}

double weight_difference(const Condition& condition, std::size_t layer, std::uint64_t seed,
                         const Evidence& evidence) {
  return largest_difference(pair_weights(kDogBitesMan, condition, layer, seed, evidence),
                            pair_weights(kManBitesDog, condition, layer, seed, evidence));
}

double last_word_difference(const Condition& condition, std::size_t layers, std::uint64_t seed,
                            const Evidence& evidence) {
  const StackPass a = read_sentence(kDogBitesMan, condition, layers, seed, evidence);
  const StackPass b = read_sentence(kManBitesDog, condition, layers, seed, evidence);
  return relative(row(a.outputs.back(), 3), row(b.outputs.back(), 3));
}

double copies_difference(const Condition& condition, std::size_t layers, std::uint64_t seed,
                         const Evidence& evidence) {
  const StackPass pass = read_sentence(kDogBitesDog, condition, layers, seed, evidence);
  return relative(row(pass.outputs.back(), 0), row(pass.outputs.back(), 2));
}

double recurrent_difference(std::uint64_t seed) {
  const xt::xarray<double> vectors = random_tokens(seed, kWords.size(), kWidth);
  const AttentionLayer weights = random_layers(seed, 1, kWidth)[0];
  const auto last_state = [&](const std::vector<std::size_t>& sentence) {
    xt::xarray<double> state = xt::zeros<double>({std::size_t{1}, kWidth});
    for (const std::size_t word : sentence) {
      const xt::xarray<double> x = xt::view(vectors, xt::range(word, word + 1), xt::all());
      state = xt::tanh(product(state, weights.query) + product(x, weights.key));
    }
    return state;
  };
  const xt::xarray<double> a = last_state(kDogBitesMan), b = last_state(kManBitesDog);
  return relative(row(a, 0), row(b, 0));
}

std::vector<Shuffle> all_shuffles(bool causal, std::uint64_t seed, const Evidence& evidence) {
  constexpr std::size_t kTokens = 5;
  const xt::xarray<double> x = random_tokens(seed, kTokens, kWidth);
  const auto layer = random_layers(seed, 1, kWidth);
  const auto f = [&](const xt::xarray<double>& rows) {
    return run_stack(layer, rows, mask_of(causal, kTokens), evidence.attend).outputs[0];
  };
  const xt::xarray<double> fx = f(x), pooled = mean_row(fx);
  std::vector<std::size_t> order(kTokens);
  std::iota(order.begin(), order.end(), 0);
  std::vector<Shuffle> shuffles;
  do {
    const xt::xarray<double> fpx = f(permuted(x, order));
    std::size_t displaced = 0;
    for (std::size_t i = 0; i < kTokens; ++i) displaced += order[i] != i;
    shuffles.push_back({order, displaced, largest_difference(fpx, permuted(fx, order)),
                        largest_difference(fpx, fx), largest_difference(mean_row(fpx), pooled)});
  } while (std::next_permutation(order.begin(), order.end()));
  return shuffles;
}

}  // namespace phasor
