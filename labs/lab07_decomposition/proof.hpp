// What proves the function of this lab, right or wrong: terms that NumPy computed (golden.hpp), and
// what follows from the algebra.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "labs/common/check_list.hpp"
#include "labs/lab07_decomposition/exercise.hpp"
#include "labs/lab07_decomposition/golden.hpp"
#include "phasor/analysis/decomposition.hpp"

namespace phasor::lab07 {

// Sums of 6 and 3 products of numbers near 1, in any order: under 30 roundings of 1e-16 each.
inline constexpr double kRounding = 1e-13;

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

/// Why there is nothing to prove: not four maps of finite numbers, [5, 5]. Empty when there is.
inline std::string unusable(const Written& written) {
  const Probe probe;
  const ScoreTerms terms = as_terms(written(probe.x, probe.p, probe.wq, probe.wk));
  for (std::size_t i = 0; i < 4; ++i)
    if (std::string problem =
            array_problem(kTermNames[i], *terms.all()[i], {kGoldenTokens, kGoldenTokens});
        !problem.empty())
      return problem;
  return "";
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"NumPy", "a query's part taken for a key's, a missing sqrt(D), W_Q and W_K exchanged"},
    {"sum", "a term that is missing or there twice"},
    {"without positions", "a position that slips into the content"},
};

/// Each term against NumPy's.
inline std::vector<ListedCheck> compare_terms(const Written& written) {
  const Probe probe;
  const ScoreTerms got = as_terms(written(probe.x, probe.p, probe.wq, probe.wk));
  const std::array<const std::array<double, kGoldenTokens * kGoldenTokens>*, 4> golden = {
      &kGoldenContentContent, &kGoldenContentPosition, &kGoldenPositionContent,
      &kGoldenPositionPosition};
  std::vector<ListedCheck> checks;
  for (std::size_t i = 0; i < golden.size(); ++i)
    checks.push_back(comparison(
        fmt::format("{}: largest difference from NumPy", kTermNames[i]),
        [&] { return *got.all()[i]; }, matrix_of(*golden[i], kGoldenTokens), kRounding));
  return checks;
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
  const Array both = probe.x + probe.p;
  const Array scores = product(product(both, probe.wq), transposed(product(both, probe.wk))) /
                       std::sqrt(static_cast<double>(kGoldenHeadWidth));
  return largest_difference(as_terms(four).sum(), scores);
}

/// For functions that are usable.
inline std::vector<ListedCheck> prove(const Written& written) {
  std::vector<ListedCheck> checks = compare_terms(written);
  checks.push_back({"largest difference of the sum from the score computed at once",
                    sum_error(written), kRounding});
  checks.push_back(
      {"without positions only content-content is left", rest_without_positions(written), 0});
  return checks;
}

}  // namespace phasor::lab07
