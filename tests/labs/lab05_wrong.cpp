// Another implementation of lab 05's header, with one mistake that the environment variable
// PHASOR_MISTAKE names; without one it is right. Linked with the lab in place of its solution.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "labs/lab05_autograd/exercise.hpp"

namespace {

using Array = xt::xarray<double>;
using Numbers = std::vector<std::size_t>;

bool mistake(std::string_view name) {
  static const char* const wanted = std::getenv("PHASOR_MISTAKE");
  return wanted && name == wanted;
}

/// The entry of a matrix, or of its transpose.
double entry(const Array& matrix, std::size_t i, std::size_t j, bool transposed) {
  return transposed ? matrix(j, i) : matrix(i, j);
}

}  // namespace

void mul_backward(const Array& dy, const Array& a, const Array& b, Array& da, Array& db) {
  if (mistake("nothing")) return;
  if (mistake("throws")) throw std::runtime_error("not written yet");
  const Array to_a = dy * (mistake("mul swapped") ? a : b);
  const Array to_b = dy * (mistake("mul swapped") ? b : a);
  if (mistake("mul overwrites")) {
    da = to_a;
    db = to_b;
  } else {
    da += to_a;
    db += to_b;
  }
}

void matmul_backward(const Array& dy, const Array& a, const Array& b, Array& da, Array& db) {
  if (mistake("matmul wrong shape")) {
    da = dy;
    return;
  }
  // Where the shapes allow it, b is read as it stands and not transposed.
  const bool forgets = mistake("matmul not transposed") && b.shape(0) == b.shape(1);
  for (std::size_t m = 0; m < a.shape(0); ++m)
    for (std::size_t k = 0; k < a.shape(1); ++k)
      for (std::size_t n = 0; n < b.shape(1); ++n) {
        da(m, k) += dy(m, n) * entry(b, k, n, forgets);
        db(k, n) += a(m, k) * dy(m, n);
      }
}

void softmax_backward(const Array& dy, const Array& y, Array& dx) {
  for (std::size_t n = 0; n < y.shape(0); ++n)
    for (std::size_t i = 0; i < y.shape(1); ++i)
      for (std::size_t j = 0; j < y.shape(1); ++j) {
        if (mistake("softmax without the sum")) {
          if (i == j) dx(n, i) += y(n, i) * dy(n, i);
        } else {
          dx(n, i) += dy(n, j) * y(n, j) * ((i == j) - y(n, i));
        }
      }
}

void layer_norm_backward(const Array& dy, const Array& x, const Array& weight, double epsilon,
                         Array& dx, Array& dweight, Array& dbias) {
  if (mistake("layer norm ignores epsilon")) epsilon = 0;
  const auto width = static_cast<double>(x.shape(1));
  for (std::size_t row = 0; row < x.shape(0); ++row) {
    double mean = 0, square = 0, g_mean = 0, gn_mean = 0;
    for (std::size_t i = 0; i < x.shape(1); ++i) mean += x(row, i) / width;
    for (std::size_t i = 0; i < x.shape(1); ++i)
      square += (x(row, i) - mean) * (x(row, i) - mean) / width;
    const double s = std::sqrt(square + epsilon);
    for (std::size_t i = 0; i < x.shape(1); ++i) {
      const double n = (x(row, i) - mean) / s;
      g_mean += dy(row, i) * weight(i) / width;
      gn_mean += dy(row, i) * weight(i) * n / width;
      dweight(i) += dy(row, i) * n;
      dbias(i) += dy(row, i);
    }
    if (mistake("layer norm forgets the mean")) g_mean = 0;
    if (mistake("layer norm forgets the variance")) gn_mean = 0;
    for (std::size_t i = 0; i < x.shape(1); ++i)
      dx(row, i) += (dy(row, i) * weight(i) - g_mean - (x(row, i) - mean) / s * gn_mean) / s;
  }
}

void embedding_backward(const Array& dy, const Numbers& rows, Array& dtable) {
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t i = 0; i < dy.shape(1); ++i) {
      if (mistake("embedding overwrites")) dtable(rows[n], i) = 0;
      dtable(rows[n], i) += dy(n, i);
    }
}

void cross_entropy_backward(double dloss, const Array& logits, const Numbers& targets,
                            Array& dlogits) {
  const double count =
      mistake("cross entropy does not divide") ? 1 : static_cast<double>(targets.size());
  if (mistake("cross entropy ignores dloss")) dloss = 1;
  for (std::size_t n = 0; n < targets.size(); ++n) {
    double highest = logits(n, 0), total = 0;
    for (std::size_t i = 0; i < logits.shape(1); ++i) highest = std::max(highest, logits(n, i));
    if (mistake("cross entropy overflows")) highest = 0;
    for (std::size_t i = 0; i < logits.shape(1); ++i) total += std::exp(logits(n, i) - highest);
    for (std::size_t i = 0; i < logits.shape(1); ++i)
      dlogits(n, i) +=
          dloss / count * (std::exp(logits(n, i) - highest) / total - (i == targets[n]));
  }
}
