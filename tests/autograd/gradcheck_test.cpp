// The judge of all gradients, judged: it must accept what is right and reject what is wrong.
#include "phasor/autograd/gradcheck.hpp"

#include "phasor/autograd/backward.hpp"
#include "phasor/ops/ops.hpp"
#include "phasor/tensor/kernels/elementwise.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

// Differences err by about kEpsilon * |L| / h with h = 1e-3: 1e-12 in double, and in float 1e-3,
// where only gross errors can be told from noise. Every wrong backward here is off by 5 % or more.
#ifdef PHASOR_DOUBLE
constexpr double kAccepted = 1e-9;
#else
constexpr double kAccepted = 2e-2;
#endif
constexpr double kRejected = 0.04;

/// y = 2 x with a backward that multiplies by `factor`.
TensorFunction doubled(Real factor) {
  return [factor](const std::vector<Var>& in) {
    return Var::op("doubled", kernel::scale(in[0].value(), 2), {in[0]},
                   [factor](const OpGrad& g) { g.add(0, kernel::scale(g.dy(), factor)); });
  };
}

REAL_TEST(Gradcheck, accepts_a_right_backward) {
  EXPECT_LT(gradcheck(doubled(2), {normal({2, 3})}).relative_error, kAccepted);
}

REAL_TEST(Gradcheck, rejects_a_wrong_factor) {
  EXPECT_GT(gradcheck(doubled(Real(2.1)), {normal({2, 3})}).relative_error, kRejected);
  EXPECT_GT(gradcheck(doubled(-2), {normal({2, 3})}).relative_error, 1);
  EXPECT_GT(gradcheck(doubled(0), {normal({2, 3})}).relative_error, kRejected);
}

REAL_TEST(Gradcheck, rejects_a_missing_term_and_names_the_input) {
  // y = a + x^2 with a gradient for `a` alone, and with one for x that lacks a factor 2.
  for (const Real factor : {Real(0), Real(1)}) {
    const auto f = [factor](const std::vector<Var>& in) {
      const Tensor& x = in[1].value();
      return Var::op("sum_of_square", kernel::add(in[0].value(), kernel::multiply(x, x)), in,
                     [factor](const OpGrad& g) {
                       g.add(0, g.dy());
                       g.add(1, kernel::scale(kernel::multiply(g.dy(), g.input(1)), factor));
                     });
    };
    const GradcheckResult result = gradcheck(f, {normal({4}, 1), normal({4}, 2)});
    EXPECT_GT(result.relative_error, kRejected);
    EXPECT_EQ(result.worst_input, 1u);
  }
}

REAL_TEST(Gradcheck, rejects_a_gradient_that_never_arrives) {
  const auto f = [](const std::vector<Var>& in) {
    return Var::op("lost", in[0].value(), {in[0]}, [](const OpGrad&) {});
  };
  EXPECT_GE(gradcheck(f, {normal({3})}).relative_error, 1);
}

REAL_TEST(Gradcheck, rejects_one_wrong_element_among_many) {
  for (std::size_t wrong = 0; wrong < 6; ++wrong) {
    const auto f = [wrong](const std::vector<Var>& in) {
      return Var::op("one_wrong", in[0].value(), {in[0]}, [wrong](const OpGrad& g) {
        Tensor dx = g.dy();
        dx.data()[wrong] += 1;
        g.add(0, std::move(dx));
      });
    };
    EXPECT_GT(gradcheck(f, {normal({2, 3})}).relative_error, kRejected) << wrong;
  }
}

REAL_TEST(Gradcheck, not_a_number_is_never_outvoted) {
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (std::size_t input = 0; input < 2; ++input)
    for (std::size_t place = 0; place < 3; ++place) {
      const auto f = [=](const std::vector<Var>& in) {
        return Var::op("nan", kernel::add(in[0].value(), in[1].value()), in, [=](const OpGrad& g) {
          Tensor dx = g.dy();
          g.add(1 - input, dx);
          dx(place) = nan;
          g.add(input, dx);
        });
      };
      const GradcheckResult result = gradcheck(f, {normal({3}, 1), normal({3}, 2)});
      EXPECT_TRUE(std::isnan(result.relative_error)) << "input " << input << ", place " << place;
      EXPECT_EQ(result.worst_input, input);
    }
}

REAL_TEST(Gradcheck, a_value_that_is_not_a_number_is_rejected) {
  const auto f = [](const std::vector<Var>& in) {
    return scale(in[0], std::numeric_limits<Real>::infinity());
  };
  EXPECT_FALSE(gradcheck(f, {normal({3})}).relative_error < 1);
}

/// Softmax whose backward subtracts the plain mean of dy instead of the weighted one.
Var wrong_softmax(const Var& x) {
  return Var::op("wrong_softmax", softmax(x).value(), {x}, [](const OpGrad& g) {
    Tensor dx = g.dy();
    Real mean = 0;
    for (const Real value : dx) mean += value / static_cast<Real>(dx.size());
    for (std::size_t i = 0; i < dx.size(); ++i) dx(i) = g.output()(i) * (dx(i) - mean);
    g.add(0, std::move(dx));
  });
}

REAL_TEST(Gradcheck, a_random_cotangent_finds_what_ones_hide) {
  // With dy = 1, sum(softmax(x)) = 1 whatever x is: the true gradient is 0, and so is that of the
  // wrong formula, which subtracts the mean of ones from ones.
  const Tensor values = normal({4});  // 4 * 1/4 is exact
  const Var x(values, true), y(values, true);
  backward(softmax(x), full({4}, 1));
  backward(wrong_softmax(y), full({4}, 1));
  EXPECT_LE(largest_difference(x.grad(), zeros({4})),
            4 * kEpsilon);  // rounding of the weights' sum
  EXPECT_LE(largest_difference(y.grad(), zeros({4})), 4 * kEpsilon);
  const auto right = [](const std::vector<Var>& in) { return softmax(in[0]); };
  const auto wrong = [](const std::vector<Var>& in) { return wrong_softmax(in[0]); };
  EXPECT_LT(gradcheck(right, {values}).relative_error, kAccepted);
  EXPECT_GT(gradcheck(wrong, {values}).relative_error, kRejected);
}

REAL_TEST(Gradcheck, inputs_and_seeds_are_independent) {
  const Tensor values = normal({2, 3});
  const std::vector<Tensor> inputs{values};
  const auto f = [](const std::vector<Var>& in) { return silu(in[0]); };
  EXPECT_LT(gradcheck(f, inputs, 1).relative_error, kAccepted);
  EXPECT_LT(gradcheck(f, inputs, 2).relative_error, kAccepted);
  EXPECT_TRUE(identical(inputs[0], values)) << "the inputs were left moved";
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
