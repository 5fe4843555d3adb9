#include "phasor/tensor/gemm.hpp"

#include <cblas.h>

#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

struct Product {
  std::size_t m, n, k;
  Real alpha = 1, beta = 0;
  bool transpose_a = false, transpose_b = false;
  std::size_t gap = 0;  ///< elements between the end of a row and the next row
};

Real at(const MatrixView& x, std::size_t row, std::size_t column) {
  return x.transposed ? x.data[column * x.stride + row] : x.data[row * x.stride + column];
}

/// Compares with a triple loop in double. A sum of k products errs by at most k roundings of the
/// sum of magnitudes, however it is ordered, plus one each for alpha, beta and the last addition.
void expect_product(const Product& p, const MatrixView& a, const MatrixView& b,
                    const Tensor& before, const Tensor& c, std::size_t stride) {
  for (std::size_t i = 0; i < p.m; ++i)
    for (std::size_t j = 0; j < p.n; ++j) {
      double sum = 0, magnitude = 0;
      for (std::size_t l = 0; l < p.k; ++l) {
        const double term = static_cast<double>(at(a, i, l)) * static_cast<double>(at(b, l, j));
        sum += term;
        magnitude += std::abs(term);
      }
      sum *= static_cast<double>(p.alpha);
      magnitude *= std::abs(static_cast<double>(p.alpha));
      if (p.beta != 0) {
        const double old =
            static_cast<double>(p.beta) * static_cast<double>(before(i * stride + j));
        sum += old;
        magnitude += std::abs(old);
      }
      const double bound = static_cast<double>(p.k + 3) * kEpsilon * magnitude;
      ASSERT_NEAR(static_cast<double>(c(i * stride + j)), sum, bound)
          << i << ", " << j << " of " << p.m << " x " << p.n << " x " << p.k
          << ", transposed: " << p.transpose_a << p.transpose_b << ", alpha " << p.alpha
          << ", beta " << p.beta;
    }
}

/// Multiplies random matrices and compares; what lies in the gaps of C must stay untouched.
void try_product(const Product& p) {
  const std::size_t a_rows = p.transpose_a ? p.k : p.m,
                    a_stride = (p.transpose_a ? p.m : p.k) + p.gap;
  const std::size_t b_rows = p.transpose_b ? p.n : p.k,
                    b_stride = (p.transpose_b ? p.k : p.n) + p.gap;
  const Tensor a = normal({a_rows * a_stride}, 1), b = normal({b_rows * b_stride}, 2);
  const std::size_t stride = p.n + p.gap;
  const Tensor before = normal({p.m * stride}, 3);
  Tensor c = before;
  const MatrixView view_a{a.data(), a_stride, p.transpose_a};
  const MatrixView view_b{b.data(), b_stride, p.transpose_b};
  gemm(p.m, p.n, p.k, p.alpha, view_a, view_b, p.beta, c.data(), stride);
  expect_product(p, view_a, view_b, before, c, stride);
  for (std::size_t i = 0; i < p.m; ++i)
    for (std::size_t j = p.n; j < stride; ++j)
      ASSERT_EQ(c(i * stride + j), before(i * stride + j)) << "the gap of row " << i;
}

REAL_TEST(Gemm, equals_a_triple_loop_in_every_transposition) {
  // 1, small and uneven extents, and one above the block of the BLAS kernels.
  const Shape extents[] = {{1, 1, 1}, {2, 3, 4}, {5, 1, 7}, {1, 6, 3}, {13, 17, 11}, {70, 65, 130}};
  for (const Shape& e : extents)
    for (const bool transpose_a : {false, true})
      for (const bool transpose_b : {false, true})
        for (const std::size_t gap : {std::size_t{0}, std::size_t{5}})
          try_product({e[0], e[1], e[2], 1, 0, transpose_a, transpose_b, gap});
}

REAL_TEST(Gemm, alpha_and_beta_scale_product_and_result) {
  for (const Real alpha : {Real(0), Real(1), Real(-0.75)})
    for (const Real beta : {Real(0), Real(1), Real(2.5)})
      for (const bool transpose_a : {false, true})
        for (const bool transpose_b : {false, true})
          try_product({4, 5, 6, alpha, beta, transpose_a, transpose_b, 2});
}

REAL_TEST(Gemm, beta_zero_does_not_read_the_result) {
  const Tensor a{{1, 2}, {3, 4}}, b{{5, 6}, {7, 8}};
  Tensor c = full({2, 2}, std::numeric_limits<Real>::quiet_NaN());
  gemm(2, 2, 2, 1, {a.data(), 2}, {b.data(), 2}, 0, c.data(), 2);
  EXPECT_TRUE(identical(c, Tensor{{19, 22}, {43, 50}}));
}

REAL_TEST(Gemm, an_empty_sum_is_zero) {
  const Tensor nothing = empty({0});
  Tensor c = full({2, 2}, std::numeric_limits<Real>::quiet_NaN());
  gemm(2, 2, 0, 1, {nothing.data(), 0}, {nothing.data(), 2}, 0, c.data(), 2);
  EXPECT_TRUE(identical(c, zeros({2, 2})));
  c = full({2, 3}, 4);
  gemm(2, 2, 0, 1, {nothing.data(), 0}, {nothing.data(), 2}, Real(0.5), c.data(), 3);
  EXPECT_TRUE(identical(c, Tensor{{2, 2, 4}, {2, 2, 4}}));
  gemm(0, 3, 2, 1, {nothing.data(), 2}, {nothing.data(), 3}, 0, c.data(), 3);  // no row: no work
}

REAL_TEST(Gemm, reads_a_head_out_of_packed_queries_keys_and_values) {
  // qkv: [T, 3 * H * D]; head h of q and k, T x D each, without a copy.
  constexpr std::size_t T = 5, H = 3, D = 4, C = H * D, stride = 3 * C;
  const Tensor qkv = normal({T, stride});
  for (std::size_t h = 0; h < H; ++h) {
    Tensor logits = empty({T * T});
    const MatrixView q{qkv.data() + h * D, stride}, k{qkv.data() + C + h * D, stride, true};
    gemm(T, T, D, Real(0.5), q, k, 0, logits.data(), T);
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t s = 0; s < T; ++s) {
        double sum = 0, magnitude = 0;
        for (std::size_t d = 0; d < D; ++d) {
          const double term = 0.5 * static_cast<double>(qkv(t, h * D + d)) *
                              static_cast<double>(qkv(s, C + h * D + d));
          sum += term;
          magnitude += std::abs(term);
        }
        // As in expect_product: D products and alpha.
        EXPECT_NEAR(static_cast<double>(logits(t * T + s)), sum, (D + 3) * kEpsilon * magnitude);
      }
  }
}

REAL_TEST(Gemm, blas_can_be_kept_on_one_thread) {
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(2);
  use_single_threaded_blas();
  EXPECT_EQ(openblas_get_num_threads(), 1);
  openblas_set_num_threads(before);
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
