#include "phasor/tensor/kernels/softmax.hpp"

#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using Doubles = std::vector<double>;

Doubles naive_softmax(const Real* x, std::size_t count) {
  Doubles y(count);
  const auto top = static_cast<double>(*std::max_element(x, x + count));
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += y[i] = std::exp(static_cast<double>(x[i]) - top);
  for (double& value : y) value /= sum;
  return y;
}

/// Rows of 1, of less than a vector register, of uneven length, and with large logits.
std::vector<Tensor> inputs() {
  std::vector<Tensor> result{normal({4, 1}), normal({2, 3, 5}), normal({3, 33}), normal({7})};
  result.push_back(normal({2, 19}));
  for (Real& value : result.back().storage()) value = 1000 + 10 * value;
  return result;
}

REAL_TEST(Softmax, equals_the_formula) {
  for (const Tensor& x : inputs()) {
    const std::size_t row = x.shape().back();
    const Tensor y = kernel::softmax(x), log_y = kernel::log_softmax(x);
    for (std::size_t start = 0; start < x.size(); start += row) {
      const Doubles wanted = naive_softmax(x.data() + start, row);
      for (std::size_t i = 0; i < row; ++i) {
        const std::size_t at = start + i;
        // exp, n additions, a division and a product, one rounding each.
        const double roundings = static_cast<double>(row + 4) * kEpsilon;
        EXPECT_NEAR(static_cast<double>(y.data()[at]), wanted[i], roundings * wanted[i]);
        // The logarithm errs by that much absolutely, and twice by the rounding of its own size,
        // at most the spread of the row: never by that of logits of size 1000.
        EXPECT_NEAR(static_cast<double>(log_y.data()[at]), std::log(wanted[i]),
                    roundings - 2 * kEpsilon * std::log(wanted[i]));
      }
    }
  }
}

REAL_TEST(Softmax, masked_logits_get_no_weight_and_a_huge_one_takes_all) {
  const Tensor y = kernel::softmax(Tensor{{1, Real(-1e30), 1}, {Real(3e4), 0, Real(-3e4)}});
  EXPECT_TRUE(identical(y, Tensor{{0.5, 0, 0.5}, {1, 0, 0}}));
  const Tensor uniform = kernel::softmax(full({4}, Real(-1e30)));
  EXPECT_TRUE(identical(uniform, full({4}, Real(0.25))));
}

REAL_TEST(Softmax, not_a_number_stays_visible) {
  for (std::size_t place = 0; place < 5; ++place) {
    Tensor x = normal({5});
    x(place) = std::numeric_limits<Real>::quiet_NaN();
    for (const Tensor& y : {kernel::softmax(x), kernel::log_softmax(x)})
      for (const Real value : y) EXPECT_TRUE(std::isnan(value));
  }
}

REAL_TEST(Softmax, backward_equals_the_jacobian_times_dy) {
  for (const Tensor& x : inputs()) {
    const std::size_t row = x.shape().back();
    const Tensor dy = normal(shape_of(x), 9);
    const Tensor dx = kernel::softmax_backward(kernel::softmax(x), dy);
    const Tensor dx_of_log = kernel::log_softmax_backward(kernel::log_softmax(x), dy);
    for (std::size_t start = 0; start < x.size(); start += row) {
      const Doubles y = naive_softmax(x.data() + start, row);
      for (std::size_t i = 0; i < row; ++i) {
        // dy_j/dx_i = y_j ([i = j] - y_i),  d(log y_j)/dx_i = [i = j] - y_i.
        double wanted = 0, wanted_of_log = 0, magnitude = 0;
        for (std::size_t j = 0; j < row; ++j) {
          const auto g = static_cast<double>(dy.data()[start + j]);
          wanted += g * y[j] * ((i == j) - y[i]);
          wanted_of_log += g * ((i == j) - y[i]);
          magnitude += std::abs(g);
        }
        // n products and additions of numbers up to |dy|, each weight off by n + 4 roundings, and
        // by up to 2 more times the size of its logarithm (at most 100 here) for the second.
        const double bound = static_cast<double>(2 * row + 8) * kEpsilon * magnitude;
        EXPECT_NEAR(static_cast<double>(dx.data()[start + i]), wanted, bound);
        EXPECT_NEAR(static_cast<double>(dx_of_log.data()[start + i]), wanted_of_log, 4 * bound);
      }
    }
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
