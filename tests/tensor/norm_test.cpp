#include "phasor/tensor/kernels/norm.hpp"

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/elementwise.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr double kPadding = 1e-5;  // epsilon of the norms

struct Row {
  double center = 0, spread = 0;
};

Row statistics(const Real* x, std::size_t width, bool removes_mean) {
  Row row;
  const auto count = static_cast<double>(width);
  if (removes_mean)
    for (std::size_t i = 0; i < width; ++i) row.center += static_cast<double>(x[i]) / count;
  for (std::size_t i = 0; i < width; ++i)
    row.spread += std::pow(static_cast<double>(x[i]) - row.center, 2) / count;
  row.spread = std::sqrt(row.spread + kPadding);
  return row;
}

/// Inputs with widths below, at and beyond a vector register; a row that is nearly constant, where
/// the place of epsilon matters; a row far from 0, where the order of subtraction matters.
std::vector<Tensor> inputs() {
  std::vector<Tensor> result{normal({3, 1}), normal({2, 3, 5}), normal({4, 33}), normal({2, 16})};
  for (std::size_t i = 0; i < 33; ++i) {
    result[2](1, i) *= Real(0.001);
    result[2](2, i) += 30;
  }
  return result;
}

// Sums of `width` numbers of size up to 30 against a spread of 1 (see inputs): width * 30
// roundings.
double bound(std::size_t width) { return static_cast<double>(30 * width + 30) * kEpsilon; }

REAL_TEST(Norm, equals_the_formula) {
  for (const Tensor& x : inputs()) {
    const std::size_t width = x.shape().back();
    const Tensor weight = normal({width}, 2), bias = normal({width}, 3);
    const Tensor layer = kernel::layer_norm(x, weight, bias, Real(kPadding));
    const Tensor rms = kernel::rms_norm(x, weight, Real(kPadding));
    xt::xarray<double> wanted = xt::xarray<double>::from_shape(shape_of(x)), wanted_rms = wanted;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t column = i % width;
      const Real* row = x.data() + i - column;
      const auto value = static_cast<double>(x.data()[i]), w = static_cast<double>(weight(column));
      const Row l = statistics(row, width, true), r = statistics(row, width, false);
      wanted.data()[i] = (value - l.center) / l.spread * w + static_cast<double>(bias(column));
      wanted_rms.data()[i] = value / r.spread * w;
    }
    EXPECT_LE(relative_difference(layer, wanted), bound(width)) << width;
    EXPECT_LE(relative_difference(rms, wanted_rms), bound(width)) << width;
  }
}

/// dx, dweight and dbias from the Jacobian of n = (x - center) / spread:
/// dn_j/dx_i = ([i = j] - [mean removed] / C - n_i n_j / C) / spread.
struct Wanted {
  xt::xarray<double> dx, dweight, dbias;
  /// Largest term of dx: its sum cancels to almost 0 where a row has one element.
  double size = 0;

  Wanted(const Tensor& x, const Tensor& weight, const Tensor& dy, bool removes_mean)
      : dx(xt::zeros<double>(shape_of(x))),
        dweight(xt::zeros<double>(shape_of(weight))),
        dbias(dweight) {
    const std::size_t width = weight.size();
    const auto count = static_cast<double>(width);
    for (std::size_t start = 0; start < x.size(); start += width) {
      const Row row = statistics(x.data() + start, width, removes_mean);
      const auto n = [&](std::size_t i) {
        return (static_cast<double>(x.data()[start + i]) - row.center) / row.spread;
      };
      for (std::size_t j = 0; j < width; ++j) {
        const auto g = static_cast<double>(dy.data()[start + j]);
        dweight(j) += g * n(j);
        dbias(j) += g;
        size = std::max(size, std::abs(g * static_cast<double>(weight(j))) / row.spread);
        for (std::size_t i = 0; i < width; ++i)
          dx.data()[start + i] +=
              g * static_cast<double>(weight(j)) *
              ((i == j) - (removes_mean ? 1 / count : 0) - n(i) * n(j) / count) / row.spread;
      }
    }
  }
};

REAL_TEST(Norm, backward_equals_the_jacobian_times_dy) {
  for (const Tensor& x : inputs()) {
    const std::size_t width = x.shape().back();
    const Tensor weight = normal({width}, 2), dy = normal(shape_of(x), 4);
    for (const bool removes_mean : {true, false}) {
      SCOPED_TRACE(fmt::format("{} {}", removes_mean ? "layer" : "rms", shape_of(x)));
      Tensor dx = zeros(shape_of(x)), dweight = zeros({width}), dbias = zeros({width});
      if (removes_mean)
        kernel::layer_norm_backward(x, weight, Real(kPadding), dy,
                                    {dx.data(), dweight.data(), dbias.data()});
      else
        kernel::rms_norm_backward(x, weight, Real(kPadding), dy, {dx.data(), dweight.data()});
      const Wanted wanted(x, weight, dy, removes_mean);
      EXPECT_LE(largest_difference(dx, wanted.dx), bound(width) * wanted.size);
      EXPECT_LE(relative_difference(dweight, wanted.dweight), bound(width));
      const double wanted_bias = removes_mean ? relative_difference(dbias, wanted.dbias) : 0;
      EXPECT_LE(wanted_bias, bound(width));
    }
  }
}

REAL_TEST(Norm, backward_adds_and_skips_what_is_not_wanted) {
  const Tensor x = normal({3, 6}), weight = normal({6}, 2), dy = normal({3, 6}, 3);
  Tensor dx = zeros({3, 6}), dweight = zeros({6}), dbias = zeros({6});
  kernel::layer_norm_backward(x, weight, Real(kPadding), dy,
                              {dx.data(), dweight.data(), dbias.data()});
  Tensor twice = dx, only = zeros({6});
  kernel::layer_norm_backward(x, weight, Real(kPadding), dy, {twice.data(), nullptr, nullptr});
  EXPECT_TRUE(identical(twice, kernel::scale(dx, 2)));  // doubling is exact
  kernel::layer_norm_backward(x, weight, Real(kPadding), dy, {nullptr, only.data(), nullptr});
  EXPECT_TRUE(identical(only, dweight));
  only = zeros({6});
  kernel::layer_norm_backward(x, weight, Real(kPadding), dy, {nullptr, nullptr, only.data()});
  EXPECT_TRUE(identical(only, dbias));
  EXPECT_NO_THROW(kernel::layer_norm_backward(x, weight, Real(kPadding), dy, {}));
  EXPECT_NO_THROW(kernel::rms_norm_backward(x, weight, Real(kPadding), dy, {}));
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
