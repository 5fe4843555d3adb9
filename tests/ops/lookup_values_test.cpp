// Values of the ops that choose, add up or squash, worked out by hand or by the standard library.
#include <cmath>

#include "phasor/ops/ops.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

REAL_TEST(Gather, chooses_along_the_last_axis_row_by_row) {
  const Tensor x{{10, 11, 12}, {20, 21, 22}};
  const Indices index{{2, 2, 0, 1}, {1, 0, 0, 2}};
  EXPECT_EQ(gather(Var(x), index).value(), (Tensor{{12, 12, 10, 11}, {21, 20, 20, 22}}));
  const Var batch = reshape(concatenate({Var(x), scale(Var(x), 2)}, 0), {2, 2, 3});
  const Tensor of_batch = gather(batch, index).value();
  EXPECT_EQ(of_batch(0, 1, 0), 21);
  EXPECT_EQ(of_batch(1, 0, 0), 24);
  EXPECT_EQ(of_batch(1, 1, 3), 44);
}

REAL_TEST(ScatterAdd, adds_where_the_index_says) {
  const Tensor x{{1, 2, 4}, {8, 16, 32}};
  const Indices index{{0, 0, 3}, {1, 3, 1}};
  EXPECT_EQ(scatter_add(Var(x), index, 4).value(), (Tensor{{3, 0, 0, 4}, {0, 40, 0, 16}}));
}

REAL_TEST(CumulativeSum, runs_from_either_end) {
  const Tensor x{{1, 2, 3}, {10, 20, 30}};
  EXPECT_EQ(cumulative_sum(Var(x)).value(), (Tensor{{1, 3, 6}, {10, 30, 60}}));
  EXPECT_EQ(cumulative_sum(Var(x), From::last).value(), (Tensor{{6, 5, 3}, {60, 50, 30}}));
}

REAL_TEST(Squashing, equals_the_standard_library_also_far_out) {
  const Tensor x{-1e30f, -200, -20, -1, -1e-8f, 0, 1e-8f, 0.5, 3, 20, 200, 1e30f};
  const Tensor s = sigmoid(Var(x)).value(), p = softplus(Var(x)).value();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto v = static_cast<double>(x.data()[i]);
    const double logistic = 1 / (1 + std::exp(-v));
    const double soft = std::max(v, 0.0) + std::log1p(std::exp(-std::abs(v)));
    EXPECT_NEAR(s.data()[i], logistic, 4 * kEpsilon) << v;
    EXPECT_NEAR(p.data()[i], soft, 4 * kEpsilon * std::max(1.0, soft)) << v;
    if (v > -1) {
      EXPECT_NEAR(log1p(Var(x)).value().data()[i], std::log1p(v), 80 * 4 * kEpsilon) << v;
    }
  }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
