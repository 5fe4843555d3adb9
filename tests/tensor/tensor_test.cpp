#include "phasor/tensor/tensor.hpp"

#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

REAL_TEST(Tensor, makers_set_shape_and_values) {
  EXPECT_EQ(shape_of(empty({2, 3})), (Shape{2, 3}));
  EXPECT_TRUE(identical(full({2, 2}, 5), Tensor{{5, 5}, {5, 5}}));
  EXPECT_TRUE(identical(zeros({3}), Tensor{0, 0, 0}));
  EXPECT_EQ(shape_of(scalar(7)), Shape{});
  EXPECT_EQ(scalar(7)(), 7);
  EXPECT_EQ(zeros({2, 0}).size(), 0u);
}

REAL_TEST(Tensor, shape_of_takes_any_array) {
  EXPECT_EQ(shape_of(Indices{{1, 2, 3}}), (Shape{1, 3}));
  EXPECT_EQ(shape_of(Mask{true, false}), (Shape{2}));
}

REAL_TEST(Tensor, random_normal_draws_in_row_major_order) {
  Rng rng(1, "test"), again(1, "test");
  const Tensor x = random_normal({2, 3}, 10, 2, rng);
  EXPECT_EQ(shape_of(x), (Shape{2, 3}));
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(x.data()[i], static_cast<Real>(10 + 2 * again.normal())) << i;
  // The generator moved on by exactly what was drawn.
  EXPECT_EQ(rng.normal(), again.normal());
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
