#include "phasor/analysis/decomposition.hpp"

#include <cmath>

#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"

namespace phasor {
namespace {

/// Keys that query t of T sees.
std::size_t seen(std::size_t t, std::size_t T, bool causal) { return causal ? t + 1 : T; }

void check_square(const xt::xarray<double>& map) {
  check(map.dimension() == 2 && map.shape(0) == map.shape(1),
        "[decomposition] a map of scores must be [T, T]");
}

double inner(const xt::xarray<double>& a, const xt::xarray<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

}  // namespace

xt::xarray<double> ScoreTerms::sum() const {
  return content_content + content_position + position_content + position_position;
}

std::array<const xt::xarray<double>*, 4> ScoreTerms::all() const {
  return {&content_content, &content_position, &position_content, &position_position};
}

ScoreTerms decompose(const xt::xarray<double>& x, const xt::xarray<double>& p,
                     const xt::xarray<double>& wq, const xt::xarray<double>& wk) {
  const xt::xarray<double> xq = product(x, wq), pq = product(p, wq);
  const xt::xarray<double> xk = transposed(product(x, wk)), pk = transposed(product(p, wk));
  const double scale = 1 / std::sqrt(static_cast<double>(wq.shape(1)));
  return {scale * product(xq, xk), scale * product(xq, pk), scale * product(pq, xk),
          scale * product(pq, pk)};
}

xt::xarray<double> centred_scores(const xt::xarray<double>& map, bool causal) {
  check_square(map);
  const std::size_t T = map.shape(0);
  xt::xarray<double> result = xt::zeros<double>({T, T});
  for (std::size_t t = 0; t < T; ++t) {
    const std::size_t keys = seen(t, T, causal);
    double mean = 0;
    for (std::size_t s = 0; s < keys; ++s) mean += map(t, s) / static_cast<double>(keys);
    for (std::size_t s = 0; s < keys; ++s) result(t, s) = map(t, s) - mean;
  }
  return result;
}

std::array<double, 4> shares(const ScoreTerms& terms, bool causal) {
  const xt::xarray<double> total = centred_scores(terms.sum(), causal);
  const double variance = inner(total, total);
  std::array<double, 4> result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = inner(centred_scores(*terms.all()[i], causal), total) / variance;
  return result;
}

double distance_share(const xt::xarray<double>& map, bool causal) {
  check_square(map);
  const std::size_t T = map.shape(0);
  double sum = 0, squares = 0, explained = 0, count = 0;
  for (std::size_t d = 0; d < 2 * T - 1; ++d) {  // the diagonal t - s = d - (T - 1)
    double diagonal = 0, length = 0;
    for (std::size_t t = 0; t < T; ++t) {
      if (t + T - 1 < d || t + T - 1 - d >= seen(t, T, causal)) continue;
      const double value = map(t, t + T - 1 - d);
      diagonal += value;
      squares += value * value;
      ++length;
    }
    if (length == 0) continue;
    sum += diagonal;
    count += length;
    explained += diagonal * diagonal / length;
  }
  const double mean_square = sum * sum / count;
  return (explained - mean_square) / (squares - mean_square);
}

}  // namespace phasor
