// What proves the function of this lab, right or wrong: terms that NumPy computed (golden.hpp), and
// what follows from the algebra.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "labs/lab07_decomposition/exercise.hpp"
#include "labs/lab07_decomposition/golden.hpp"
#include "phasor/analysis/decomposition.hpp"
#include "phasor/analysis/matrix.hpp"

namespace phasor::lab07 {

using Array = xt::xarray<double>;
using Written =
    std::function<FourTerms(const Array& x, const Array& p, const Array& wq, const Array& wk)>;

/// sin(start + step i) over the row-major index i.
inline Array wave(std::size_t rows, std::size_t columns, double start, double step) {
  auto result = Array::from_shape({rows, columns});
  for (std::size_t i = 0; i < result.size(); ++i)
    result.data()[i] = std::sin(start + step * static_cast<double>(i));
  return result;
}

/// The inputs of golden.hpp.
struct Probe {
  Array x = wave(kGoldenTokens, kGoldenWidth, 0.3, 0.7);
  Array p = wave(kGoldenTokens, kGoldenWidth, 1.2, 0.9);
  Array wq = wave(kGoldenWidth, kGoldenHeadWidth, 0.5, 1.1);
  Array wk = wave(kGoldenWidth, kGoldenHeadWidth, 2.0, 0.4);
};

/// As the library calls the four.
inline ScoreTerms as_terms(const FourTerms& four) {
  return {four.content_content, four.content_position, four.position_content,
          four.position_position};
}

/// Whether all four are [T, T].
inline bool fits(const FourTerms& four, std::size_t T) {
  const ScoreTerms terms = as_terms(four);
  const auto all = terms.all();
  return std::all_of(all.begin(), all.end(), [T](const Array* term) {
    return term->dimension() == 2 && term->shape(0) == T && term->shape(1) == T;
  });
}

/// The largest difference of each term from NumPy's; infinite where the shape is another one.
inline std::array<double, 4> term_errors(const Written& written) {
  const Probe probe;
  const ScoreTerms got = as_terms(written(probe.x, probe.p, probe.wq, probe.wk));
  const std::array<const std::array<double, kGoldenTokens * kGoldenTokens>*, 4> golden = {
      &kGoldenContentContent, &kGoldenContentPosition, &kGoldenPositionContent,
      &kGoldenPositionPosition};
  std::array<double, 4> errors{};
  for (std::size_t i = 0; i < errors.size(); ++i)
    errors[i] = largest_difference(*got.all()[i], matrix_of(*golden[i], kGoldenTokens));
  return errors;
}

/// Without positions three terms vanish: the largest of their values.
inline double rest_without_positions(const Written& written) {
  const Probe probe;
  const Array nothing = xt::zeros<double>(probe.p.shape());
  const ScoreTerms terms = as_terms(written(probe.x, nothing, probe.wq, probe.wk));
  double largest = 0;
  for (std::size_t i = 1; i < 4; ++i)
    largest = std::max(
        largest,
        largest_difference(*terms.all()[i], xt::zeros<double>({kGoldenTokens, kGoldenTokens})));
  return largest;
}

/// The largest difference of the sum from (x + p) wq ((x + p) wk)^T / sqrt(D), computed at once.
inline double sum_error(const Written& written) {
  const Probe probe;
  const FourTerms four = written(probe.x, probe.p, probe.wq, probe.wk);
  if (!fits(four, kGoldenTokens)) return INFINITY;
  const Array both = probe.x + probe.p;
  const Array scores = product(product(both, probe.wq), transposed(product(both, probe.wk))) /
                       std::sqrt(static_cast<double>(kGoldenHeadWidth));
  return largest_difference(as_terms(four).sum(), scores);
}

}  // namespace phasor::lab07
