#include "phasor/core/shape.hpp"

#include "tests/core/expect_error.hpp"

namespace phasor {
namespace {

TEST(Shape, element_count_is_the_product_and_1_for_a_scalar) {
  EXPECT_EQ(element_count({}), 1u);
  EXPECT_EQ(element_count({7}), 7u);
  EXPECT_EQ(element_count({2, 3, 4}), 24u);
  EXPECT_EQ(element_count({2, 0, 4}), 0u);
  // 2^33: more than 32 bits hold.
  EXPECT_EQ(element_count({1u << 20, 1u << 13}), std::size_t{1} << 33);
}

TEST(Shape, the_last_axis_is_contiguous) {
  using Strides = std::vector<std::size_t>;
  EXPECT_EQ(row_major_strides({}), Strides{});
  EXPECT_EQ(row_major_strides({5}), (Strides{1}));
  EXPECT_EQ(row_major_strides({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(row_major_strides({2, 1, 4}), (Strides{4, 4, 1}));
}

TEST(Shape, broadcasting_follows_numpy) {
  struct Case {
    Shape a, b, result;
  };
  // The results are those of numpy.broadcast_shapes.
  const Case cases[] = {
      {{}, {}, {}},
      {{}, {3}, {3}},
      {{}, {2, 3}, {2, 3}},
      {{4}, {4}, {4}},
      {{2, 3, 4}, {4}, {2, 3, 4}},
      {{2, 3, 4}, {3, 1}, {2, 3, 4}},
      {{3, 1}, {1, 4}, {3, 4}},
      {{2, 1, 4}, {3, 1}, {2, 3, 4}},
      {{1}, {5, 1, 2}, {5, 1, 2}},
      {{1, 1, 1}, {7}, {1, 1, 7}},
      {{1}, {0}, {0}},
      {{2, 0}, {1, 1}, {2, 0}},
      {{8, 1, 6, 1}, {7, 1, 5}, {8, 7, 6, 5}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(broadcast(c.a, c.b, "test"), c.result);
    EXPECT_EQ(broadcast(c.b, c.a, "test"), c.result);
  }
}

TEST(Shape, what_does_not_broadcast_is_named_with_its_axis) {
  expect_error<ShapeError>(
      [] {
        broadcast({2, 3}, {4}, "add");
      },
      {"[add]", "[2, 3] and [4]", "3 against 4", "axis -1", "or 1"});
  expect_error<ShapeError>(
      [] {
        broadcast({2, 3, 4}, {3, 3, 4}, "mul");
      },
      {"[mul]", "2 against 3", "axis -3"});
  // An empty axis does not stretch: 0 against 2 is an error, as in NumPy.
  expect_error<ShapeError>([] { broadcast({0}, {2}, "sub"); }, {"0 against 2"});
}

}  // namespace
}  // namespace phasor
