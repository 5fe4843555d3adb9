#include "phasor/analysis/attention.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/analysis/matrix.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/rng.hpp"

namespace phasor {
namespace {

constexpr double kHidden = -1e30;  // finite, so that a difference of two is a number

/// Each row in place: exp(x - max) / sum.
void softmax_rows(xt::xarray<double>& logits) {
  for (std::size_t t = 0; t < logits.shape(0); ++t) {
    double* row = logits.data() + t * logits.shape(1);
    const double largest = *std::max_element(row, row + logits.shape(1));
    double sum = 0;
    for (std::size_t s = 0; s < logits.shape(1); ++s) sum += row[s] = std::exp(row[s] - largest);
    for (std::size_t s = 0; s < logits.shape(1); ++s) row[s] /= sum;
  }
}

xt::xarray<double> normal(Rng& rng, std::size_t rows, std::size_t columns, double deviation) {
  auto result = xt::xarray<double>::from_shape({rows, columns});
  for (double& value : result) value = deviation * rng.normal();
  return result;
}

}  // namespace

xt::xarray<double> attended(const xt::xarray<double>& q, const xt::xarray<double>& k,
                            const xt::xarray<double>& v, const xt::xarray<double>& mask) {
  xt::xarray<double> logits = product(q, transposed(k));
  check(mask.shape() == logits.shape(), "[attended] the mask must be {}, got {}",
        fmt::join(logits.shape(), " x "), fmt::join(mask.shape(), " x "));
  const double scale = 1 / std::sqrt(static_cast<double>(q.shape(1)));
  for (std::size_t i = 0; i < logits.size(); ++i)
    logits.data()[i] = mask.data()[i] != 0 ? scale * logits.data()[i] : kHidden;
  softmax_rows(logits);
  return product(logits, v);
}

xt::xarray<double> full_mask(std::size_t size) { return xt::ones<double>({size, size}); }

xt::xarray<double> causal_mask(std::size_t size) {
  xt::xarray<double> mask = xt::zeros<double>({size, size});
  for (std::size_t t = 0; t < size; ++t)
    for (std::size_t s = 0; s <= t; ++s) mask(t, s) = 1;
  return mask;
}

xt::xarray<double> permuted(const xt::xarray<double>& rows, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool each_once = rows.dimension() == 2 && sorted.size() == rows.shape(0);
  for (std::size_t i = 0; each_once && i < sorted.size(); ++i) each_once = sorted[i] == i;
  check(each_once, "[permuted] the order must name each of the rows of {} once, got {}",
        fmt::join(rows.shape(), " x "), fmt::join(order, " "));
  xt::xarray<double> result = rows;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t c = 0; c < rows.shape(1); ++c) result(i, c) = rows(order[i], c);
  return result;
}

std::vector<std::size_t> inverse_order(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result.at(order[i]) = i;
  return result;
}

std::vector<AttentionLayer> random_layers(std::uint64_t seed, std::size_t count,
                                          std::size_t width) {
  const double deviation = 1 / std::sqrt(static_cast<double>(width));
  std::vector<AttentionLayer> layers(count);
  for (std::size_t n = 0; n < count; ++n) {
    Rng rng(seed, "attention layer", n);
    for (auto* weights : {&layers[n].query, &layers[n].key, &layers[n].value, &layers[n].output})
      *weights = normal(rng, width, width, deviation);
  }
  return layers;
}

xt::xarray<double> random_tokens(std::uint64_t seed, std::size_t rows, std::size_t width) {
  Rng rng(seed, "token vectors");
  return normal(rng, rows, width, 1);
}

StackPass run_stack(const std::vector<AttentionLayer>& layers, const xt::xarray<double>& x,
                    const xt::xarray<double>& mask, const AttentionFunction& attend) {
  StackPass pass;
  xt::xarray<double> stream = x;
  for (const AttentionLayer& layer : layers) {
    const xt::xarray<double> q = product(stream, layer.query), k = product(stream, layer.key);
    const xt::xarray<double> v = product(stream, layer.value);
    pass.weights.push_back(attend(q, k, identity(x.shape(0)), mask));
    stream += product(attend(q, k, v, mask), layer.output);
    pass.outputs.push_back(stream);
  }
  return pass;
}

}  // namespace phasor
