#include "phasor/tensor/kernels/vector.hpp"

#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

using kernel::Batch;
using kernel::kLanes;

/// Lengths with every possible rest, with and without full registers before it.
constexpr std::size_t kLongest = 3 * kLanes + 1;

REAL_TEST(Vector, a_value_does_not_depend_on_its_place) {
  const auto exp = [](const Batch& v) { return xsimd::exp(v); };
  const Tensor x = normal({kLongest});
  Tensor alone = empty({kLongest});
  for (std::size_t i = 0; i < kLongest; ++i) kernel::map(x.data() + i, alone.data() + i, 1, exp);
  for (std::size_t count = 0; count <= kLongest; ++count) {
    Tensor y = full({kLongest}, -1);
    kernel::map(x.data(), y.data(), count, exp);
    for (std::size_t i = 0; i < kLongest; ++i)  // equal to the last bit; beyond the end untouched
      ASSERT_EQ(y(i), i < count ? alone(i) : -1) << i << " of " << count;
  }
  // Two roundings: that of exp here and that of the standard library.
  for (std::size_t i = 0; i < kLongest; ++i)
    EXPECT_NEAR(static_cast<double>(alone(i) / std::exp(x(i))), 1, 2 * kEpsilon);
}

REAL_TEST(Vector, a_map_of_two_arrays_keeps_their_places) {
  const auto f = [](const Batch& a, const Batch& b) { return a - b; };
  const Tensor a = normal({kLongest}, 1), b = normal({kLongest}, 2);
  for (std::size_t count = 0; count <= kLongest; ++count) {
    Tensor y = full({kLongest}, -1);
    kernel::map(a.data(), b.data(), y.data(), count, f);
    for (std::size_t i = 0; i < kLongest; ++i)
      ASSERT_EQ(y(i), i < count ? a(i) - b(i) : -1) << i << " of " << count;
  }
}

REAL_TEST(Vector, the_result_may_replace_the_input) {
  Tensor x = normal({kLongest});
  const Tensor before = x;
  kernel::map(x.data(), x.data(), kLongest, [](const Batch& v) { return v + v; });
  for (std::size_t i = 0; i < kLongest; ++i) EXPECT_EQ(x(i), 2 * before(i));
}

REAL_TEST(Vector, sums_equal_a_loop) {
  const Tensor x = normal({kLongest}, 1), y = normal({kLongest}, 2);
  double sum = 0, squares = 0, product = 0, magnitude = 0;
  for (std::size_t count = 0; count <= kLongest; ++count) {
    // Additions in another order: n roundings of the sum of magnitudes.
    const double bound = static_cast<double>(count + 2) * kEpsilon * magnitude;
    EXPECT_NEAR(static_cast<double>(kernel::sum(x.data(), count)), sum, bound) << count;
    EXPECT_NEAR(static_cast<double>(kernel::dot(x.data(), y.data(), count)), product, bound);
    const auto square = [](const auto& v) { return v * v; };
    EXPECT_NEAR(static_cast<double>(kernel::sum_of(x.data(), count, square)), squares, bound);
    if (count == kLongest) break;
    const auto a = static_cast<double>(x(count)), b = static_cast<double>(y(count));
    sum += a;
    squares += a * a;
    product += a * b;
    magnitude += std::abs(a) + a * a + std::abs(a * b);
  }
}

REAL_TEST(Vector, largest_is_found_at_every_place) {
  for (std::size_t place = 0; place < kLongest; ++place) {
    Tensor x = full({kLongest}, -5);
    x(place) = -3;
    EXPECT_EQ(kernel::largest(x.data(), kLongest), -3);
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
