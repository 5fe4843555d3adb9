#include "phasor/tensor/kernels/layout.hpp"

#include <numeric>

#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

Tensor naive_permute(const Tensor& x, const std::vector<std::size_t>& axes) {
  const Shape from = shape_of(x);
  const auto strides = row_major_strides(from);
  Shape shape;
  for (const std::size_t axis : axes) shape.push_back(from[axis]);
  Tensor result = empty(shape);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Shape index = unravel(i, shape);
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      flat += index[axis] * strides[axes[axis]];
    result.data()[i] = x.data()[flat];
  }
  return result;
}

REAL_TEST(Layout, permute_equals_a_loop_over_indices_in_every_order) {
  // Distinct extents, so that no two orders give the same shape; 1 and 0 are the edge cases.
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{2, 3, 4}, Shape{2, 3, 4, 5},
                             Shape{3, 1, 2, 1}, Shape{2, 0, 3}}) {
    std::vector<std::size_t> axes(shape.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    const Tensor x = normal(shape);
    std::size_t orders = 0, factorial = 1;
    for (std::size_t i = 2; i <= axes.size(); ++i) factorial *= i;
    do {
      EXPECT_TRUE(identical(kernel::permute(x, axes), naive_permute(x, axes)))
          << testing::PrintToString(shape) << " by " << testing::PrintToString(axes);
      ++orders;
    } while (std::next_permutation(axes.begin(), axes.end()));
    EXPECT_EQ(orders, factorial);
  }
}

REAL_TEST(Layout, permute_agrees_with_a_matrix_written_out) {
  EXPECT_TRUE(identical(kernel::permute(Tensor{{1, 2, 3}, {4, 5, 6}}, {1, 0}),
                        Tensor{{1, 4}, {2, 5}, {3, 6}}));
}

REAL_TEST(Layout, around_splits_the_shape_at_an_axis) {
  const Shape shape{2, 3, 4, 5};
  const Shape wanted[] = {{1, 2, 60}, {2, 3, 20}, {6, 4, 5}, {24, 5, 1}};
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const auto [outer, extent, inner] = kernel::around(shape, axis);
    EXPECT_EQ((Shape{outer, extent, inner}), wanted[axis]);
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
