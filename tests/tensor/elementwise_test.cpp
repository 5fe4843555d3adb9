#include "phasor/tensor/kernels/elementwise.hpp"

#include "tests/core/expect_error.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Where element `index` of the broadcast array lies in an array of shape `from`: the leading axes
/// it lacks are dropped, and an extent of 1 is always at 0.
std::size_t source(const Shape& index, const Shape& from) {
  std::size_t flat = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    const std::size_t here = index[index.size() - from.size() + axis];
    flat = flat * from[axis] + (from[axis] == 1 ? 0 : here);
  }
  return flat;
}

template <class F>
Tensor naive(const Tensor& a, const Tensor& b, F f) {
  const Shape shape = broadcast(shape_of(a), shape_of(b), "naive");
  Tensor result = empty(shape);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Shape index = unravel(i, shape);
    result.data()[i] =
        f(a.data()[source(index, shape_of(a))], b.data()[source(index, shape_of(b))]);
  }
  return result;
}

const std::pair<Shape, Shape> kPairs[] = {{{}, {}},
                                          {{}, {3}},
                                          {{}, {2, 3}},
                                          {{4}, {4}},
                                          {{2, 3}, {2, 3}},
                                          {{2, 3, 4}, {4}},
                                          {{2, 3, 4}, {3, 1}},
                                          {{2, 3, 4}, {2, 1, 1}},
                                          {{3, 1}, {1, 4}},
                                          {{2, 1, 4}, {3, 1}},
                                          {{1}, {5, 2}},
                                          {{1, 1, 1}, {7}},
                                          {{2, 0}, {1, 1}},
                                          {{0}, {}},
                                          {{2, 1, 3, 1}, {5, 1, 4}},
                                          {{6, 1}, {1, 1}},
                                          {{3, 1, 1}, {3, 1}},
                                          {{2, 3, 1}, {2, 1, 1}}};

REAL_TEST(Elementwise, broadcasting_equals_a_loop_over_indices) {
  for (const auto& [left, right] : kPairs)
    for (const bool swapped : {false, true}) {
      const Tensor a = normal(swapped ? right : left, 1), b = normal(swapped ? left : right, 2);
      SCOPED_TRACE(fmt::format("{} and {}", shape_of(a), shape_of(b)));
      // One operation per element: the results are equal to the last bit.
      EXPECT_TRUE(identical(kernel::add(a, b), naive(a, b, std::plus<>())));
      EXPECT_TRUE(identical(kernel::subtract(a, b), naive(a, b, std::minus<>())));
      EXPECT_TRUE(identical(kernel::multiply(a, b), naive(a, b, std::multiplies<>())));
    }
}

REAL_TEST(Elementwise, shapes_that_do_not_fit_are_named) {
  const Tensor a = normal({2, 3}), b = normal({4});
  expect_error<ShapeError>([&] { kernel::add(a, b); }, {"[add]", "[2, 3] and [4]"});
  expect_error<ShapeError>([&] { kernel::subtract(a, b); }, {"[sub]", "[2, 3] and [4]"});
  expect_error<ShapeError>([&] { kernel::multiply(a, b); }, {"[mul]", "[2, 3] and [4]"});
  expect_error<ShapeError>([&] { kernel::expand_to(a, {5, 4}); }, {"[expand]", "[2, 3]", "[5, 4]"});
}

REAL_TEST(Elementwise, scale_multiplies_every_element) {
  const Tensor x = normal({3, 5});
  EXPECT_TRUE(identical(kernel::scale(x, Real(-2.5)), kernel::multiply(x, scalar(Real(-2.5)))));
  EXPECT_EQ(kernel::scale(scalar(3), 2)(), 6);
}

REAL_TEST(Elementwise, add_to_accumulates) {
  Tensor sum{{1, 2}, {3, 4}};
  kernel::add_to(sum, Tensor{{10, 20}, {30, 40}});
  EXPECT_TRUE(identical(sum, Tensor{{11, 22}, {33, 44}}));
  expect_error<ShapeError>([&] { kernel::add_to(sum, normal({2})); },
                           {"[gradient]", "[2, 2] and [2]", "must be equal"});
}

REAL_TEST(Elementwise, sum_to_adds_what_broadcasting_repeated) {
  for (const auto& [left, right] : kPairs)
    for (const Shape& narrow : {left, right}) {
      const Shape wide = broadcast(left, right, "test");
      SCOPED_TRACE(fmt::format("{} to {}", wide, narrow));
      const Tensor x = normal(wide);
      std::vector<double> sums(element_count(narrow), 0), magnitudes(sums.size(), 0);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t to = source(unravel(i, wide), narrow);
        sums[to] += static_cast<double>(x.data()[i]);
        magnitudes[to] += std::abs(static_cast<double>(x.data()[i]));
      }
      const Tensor result = kernel::sum_to(x, narrow);
      ASSERT_EQ(shape_of(result), narrow);
      // n additions err by at most n roundings of the sum of magnitudes, in whatever order.
      for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_NEAR(static_cast<double>(result.data()[i]), sums[i],
                    static_cast<double>(x.size()) * kEpsilon * magnitudes[i]);
    }
}

REAL_TEST(Elementwise, expand_to_repeats) {
  for (const auto& [left, right] : kPairs) {
    const Shape wide = broadcast(left, right, "test");
    const Tensor x = normal(left);
    const Tensor wanted = naive(x, zeros(wide), [](Real value, Real) { return value; });
    EXPECT_TRUE(identical(kernel::expand_to(x, wide), wanted));
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
