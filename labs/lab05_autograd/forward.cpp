#include "labs/lab05_autograd/forward.hpp"

#include <algorithm>
#include <cmath>

namespace phasor::lab05 {

Array softmax(const Array& x) {
  Array y = x;
  const std::size_t width = x.shape(1);
  for (std::size_t n = 0; n < x.shape(0); ++n) {
    double* row = y.data() + n * width;
    const double highest = *std::max_element(row, row + width);
    double total = 0;
    for (std::size_t i = 0; i < width; ++i) total += row[i] = std::exp(row[i] - highest);
    for (std::size_t i = 0; i < width; ++i) row[i] /= total;
  }
  return y;
}

Array layer_norm(const Array& x, const Array& weight, const Array& bias) {
  Array y = x;
  const std::size_t width = x.shape(1);
  for (std::size_t n = 0; n < x.shape(0); ++n) {
    double* row = y.data() + n * width;
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < width; ++i) mean += row[i] / static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i)
      variance += (row[i] - mean) * (row[i] - mean) / static_cast<double>(width);
    const double spread = std::sqrt(variance + kEpsilon);
    for (std::size_t i = 0; i < width; ++i) row[i] = (row[i] - mean) / spread * weight(i) + bias(i);
  }
  return y;
}

Array embedding(const Array& table, const Rows& rows) {
  const std::size_t width = table.shape(1);
  Array y = Array::from_shape({rows.size(), width});
  for (std::size_t n = 0; n < rows.size(); ++n)
    std::copy_n(table.data() + rows[n] * width, width, y.data() + n * width);
  return y;
}

double cross_entropy(const Array& logits, const Rows& targets) {
  const std::size_t width = logits.shape(1);
  double sum = 0;
  for (std::size_t n = 0; n < targets.size(); ++n) {
    const double* row = logits.data() + n * width;
    const double highest = *std::max_element(row, row + width);
    double total = 0;
    for (std::size_t i = 0; i < width; ++i) total += std::exp(row[i] - highest);
    sum += std::log(total) + highest - row[targets[n]];
  }
  return sum / static_cast<double>(targets.size());
}

}  // namespace phasor::lab05
