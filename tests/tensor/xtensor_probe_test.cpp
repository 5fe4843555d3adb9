// What the library relies on in xtensor and xtensor-blas, of any release.
#include "phasor/tensor/tensor.hpp"
#include "phasor/tensor/xtensor.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

#include PHASOR_XLINALG
#include PHASOR_XNPY

namespace phasor::inline PHASOR_PRECISION {
namespace {

Tensor counting(const Shape& shape) {
  Tensor result = Tensor::from_shape(shape);
  for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = static_cast<Real>(i);
  return result;
}

REAL_TEST(XtensorProbe, arrays_are_row_major) {
  static_assert(Tensor::static_layout == xt::layout_type::row_major);
  const Tensor x = counting({2, 3, 4});
  EXPECT_EQ(x(1, 2, 3), 23);
  EXPECT_EQ(x(0, 1, 0), 4);
  EXPECT_EQ(x(1, 0, 2), 14);
}

REAL_TEST(XtensorProbe, from_shape_sets_the_strides) {
  const Tensor x = Tensor::from_shape(Shape{2, 3, 4});
  EXPECT_EQ(Shape(x.strides().begin(), x.strides().end()), (Shape{12, 4, 1}));
  EXPECT_EQ(x.size(), 24u);
  EXPECT_EQ(x.dimension(), 3u);
  EXPECT_EQ(Tensor::from_shape(Shape{0, 3}).size(), 0u);
}

REAL_TEST(XtensorProbe, storage_is_contiguous) {
  Tensor x = counting({3, 5});
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_EQ(x.storage().size(), 15u);
  EXPECT_EQ(&x(2, 4), x.data() + 14);
  x.data()[7] = -1;
  EXPECT_EQ(x(1, 2), -1);
}

REAL_TEST(XtensorProbe, reshape_keeps_order_and_memory) {
  Tensor x = counting({2, 6});
  const Real* before = x.data();
  x.reshape(Shape{3, 4});
  EXPECT_EQ(x.data(), before);
  EXPECT_EQ(x(2, 1), 9);
  EXPECT_EQ(Shape(x.strides().begin(), x.strides().end()), (Shape{4, 1}));
  x.reshape(Shape{12});
  EXPECT_EQ(x(11), 11);
}

REAL_TEST(XtensorProbe, a_scalar_has_no_axes_and_one_element) {
  Tensor x = Tensor::from_shape(Shape{});
  x.fill(3);
  EXPECT_EQ(x.dimension(), 0u);
  EXPECT_EQ(x.size(), 1u);
  EXPECT_EQ(x(), 3);
  x.reshape(Shape{1, 1});
  EXPECT_EQ(x(0, 0), 3);
  x.reshape(Shape{});
  EXPECT_EQ(x.dimension(), 0u);
}

REAL_TEST(XtensorProbe, a_default_tensor_is_a_scalar_and_not_empty) {
  // Node::grad starts so; whether a gradient is there is therefore kept in a flag of its own.
  EXPECT_EQ(Tensor().size(), 1u);
}

REAL_TEST(XtensorProbe, copies_do_not_share_memory_and_moves_do_not_copy) {
  Tensor x = counting({2, 2});
  Tensor copy = x;
  copy(0, 0) = 9;
  EXPECT_EQ(x(0, 0), 0);
  Tensor assigned = counting({7});
  assigned = x;
  x(1, 1) = 8;
  EXPECT_EQ(assigned(1, 1), 3);
  EXPECT_EQ(shape_of(assigned), (Shape{2, 2}));
  const Real* memory = x.data();
  const Tensor moved = std::move(x);
  EXPECT_EQ(moved.data(), memory);
}

REAL_TEST(XtensorProbe, npy_text_round_trips) {
  const Tensor x = normal({2, 3});
  std::istringstream stream(xt::dump_npy(x));
  const Tensor back = xt::load_npy<Real>(stream);
  EXPECT_TRUE(identical(back, x));
}

REAL_TEST(XtensorProbe, linalg_dot_multiplies_matrices) {
  const Tensor a{{1, 2, 3}, {4, 5, 6}}, b{{1, 0}, {-1, 2}, {2, 1}};
  const Tensor product = xt::linalg::dot(a, b);
  EXPECT_TRUE(identical(product, Tensor{{5, 7}, {11, 16}}));  // small integers: exact
  const Tensor transposed = xt::linalg::dot(xt::transpose(b), xt::transpose(a));
  EXPECT_TRUE(identical(transposed, Tensor{{5, 11}, {7, 16}}));
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
