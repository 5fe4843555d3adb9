// Products in panels against a plain loop. Small integers throughout: sums are exact in both
// precisions, so that every number must be right to the bit.
#include "phasor/tensor/kernels/panels.hpp"

#include "phasor/tensor/gemm.hpp"
#include "tests/real_test.hpp"
#include "tests/tensor/closeness.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

/// Whole numbers from -3 to 3.
Tensor whole(const Shape& shape, std::uint64_t seed) {
  Rng rng(seed, "whole");
  Tensor result = empty(shape);
  for (Real& value : result.storage()) value = static_cast<Real>(rng.below(7)) - 3;
  return result;
}

/// A matrix [rows, columns] of whole numbers as memory holds it: transposed or not, with NaN in the
/// gaps behind its rows.
struct Stored {
  Tensor memory;
  std::size_t stride;
  bool transposed;

  Stored(std::size_t rows, std::size_t columns, bool is_transposed, std::size_t gap,
         std::uint64_t seed)
      : stride((is_transposed ? rows : columns) + gap), transposed(is_transposed) {
    const std::size_t lines = is_transposed ? columns : rows;
    memory = whole({lines, stride}, seed);
    for (std::size_t line = 0; line < lines; ++line)
      for (std::size_t i = stride - gap; i < stride; ++i) memory(line, i) = kNan;
  }
  MatrixView view() const { return {memory.data(), stride, transposed}; }
  Real at(std::size_t row, std::size_t column) const {
    return transposed ? memory(column, row) : memory(row, column);
  }
};

struct Product {
  std::size_t m, n, k;
  Real alpha = 1, beta = 0;
};

/// C, [m, n + gap], before a product: NaN where beta = 0 lets it hold anything.
Tensor before(const Product& p, std::size_t gap) {
  Tensor c = whole({p.m, p.n + gap}, 3);
  if (p.beta != 0) return c;
  for (std::size_t i = 0; i < p.m; ++i)
    for (std::size_t j = 0; j < p.n; ++j) c(i, j) = kNan;
  return c;
}

/// alpha A B + beta C + row by a triple loop, the gaps of C as they were.
Tensor by_loop(const Product& p, const Stored& a, const Stored& b, Tensor c, const Real* row) {
  for (std::size_t i = 0; i < p.m; ++i)
    for (std::size_t j = 0; j < p.n; ++j) {
      Real sum = 0;
      for (std::size_t l = 0; l < p.k; ++l) sum += a.at(i, l) * b.at(l, j);
      c(i, j) = p.alpha * sum + (p.beta != 0 ? p.beta * c(i, j) : 0) + (row ? row[j] : 0);
    }
  return c;
}

/// Whether kernel::multiply gives what the loop gives, with a row and without.
bool is_right(const Product& p, const Stored& a, const Stored& b, const kernel::Panels& panels) {
  constexpr std::size_t gap = 3;
  const Tensor row = whole({p.n}, 4);
  for (const Real* added : {static_cast<const Real*>(nullptr), row.data()}) {
    Tensor c = before(p, gap);
    const Tensor wanted = by_loop(p, a, b, c, added);
    kernel::multiply(p.m, p.n, p.k, p.alpha, a.view(), panels, p.beta, c.data(), p.n + gap,
                     {.row = added});
    if (!identical(c, wanted)) return false;
  }
  return true;
}

const std::size_t kM[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 63, 64};
const std::size_t kN[] = {1, 4, 5, 7, 8, 9, 13, 15, 16, 17, 33, 65};
const std::size_t kK[] = {0, 1, 5, 32};

REAL_TEST(Panels, multiply_equals_a_triple_loop) {
  kernel::Panels panels, taken;  // filled anew each time: what they held before must not matter
  for (const bool transpose_a : {false, true})
    for (const bool transpose_b : {false, true})
      for (const std::size_t k : kK)
        for (const std::size_t n : kN) {
          const Stored b(k, n, transpose_b, 2, 2);
          panels.pack(k, n, b.view());
          taken.take(k, n, b.view());
          EXPECT_EQ(panels.rows(), k);
          EXPECT_EQ(panels.columns(), n);
          for (const std::size_t m : kM) {
            const Stored a(m, k, transpose_a, 5, 1);
            for (const Real alpha : {Real(0), Real(1), Real(-2)})
              for (const Real beta : {Real(0), Real(1), Real(-2)})
                ASSERT_TRUE(is_right({m, n, k, alpha, beta}, a, b, panels) &&
                            is_right({m, n, k, alpha, beta}, a, b, taken))
                    << m << " x " << n << " x " << k << ", transposed: " << transpose_a
                    << transpose_b << ", alpha " << alpha << ", beta " << beta;
          }
        }
}

REAL_TEST(Panels, take_reads_short_whole_rows_where_they_lie) {
  constexpr std::size_t kWidth = kernel::Panels::kWidth;
  const auto refers = [](std::size_t n, std::size_t gap, bool transposed) {
    const Stored b(5, n, transposed, gap, 2);
    kernel::Panels panels;
    panels.take(5, n, b.view());
    return panels.at(0, 0) == b.memory.data();
  };
  EXPECT_TRUE(refers(kWidth, 0, false));
  EXPECT_TRUE(refers(kWidth / 2, 3, false));
  EXPECT_TRUE(refers(2 * kWidth, 0, false));
  EXPECT_FALSE(refers(2 * kWidth, 1, false));
  EXPECT_FALSE(refers(kWidth, 0, true));
  EXPECT_FALSE(refers(kWidth - 1, 0, false));
}

/// A with zeros right of the diagonal, as it is or as it is stored.
Stored triangle_of(std::size_t m, std::size_t k, std::size_t corner, bool as_stored) {
  Stored a(m, k, as_stored, 1, 1);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t p = 0; p < k; ++p)
      if (as_stored ? i > corner + p : p > corner + i)
        (as_stored ? a.memory(p, i) : a.memory(i, p)) = 0;
  return a;
}

REAL_TEST(Panels, multiply_leaves_out_only_what_a_triangle_hides) {
  using Of = kernel::Triangle::Of;
  kernel::Panels panels;
  for (const std::size_t m : {1U, 5U, 6U, 14U, 33U})
    for (const std::size_t n : {1U, 8U, 17U, 40U})
      for (const std::size_t k : {1U, 7U, 32U})
        for (const std::size_t corner : {0U, 1U, 6U, 40U})
          for (const Of of : {Of::nothing, Of::result, Of::left, Of::left_as_stored}) {
            const Stored a = of == Of::left || of == Of::left_as_stored
                                 ? triangle_of(m, k, corner, of == Of::left_as_stored)
                                 : Stored(m, k, false, 1, 1);
            Stored b(k, n, false, 0, 2);
            const Tensor wanted = by_loop({m, n, k, 1, 1}, a, b, whole({m, n}, 3), nullptr);
            // Rows of B that meet nothing but zeros are not read: this NaN would show.
            if (of == Of::left)
              for (std::size_t p = corner + m; p < k; ++p) b.memory(p, 0) = kNan;
            panels.pack(k, n, b.view());
            Tensor c = whole({m, n}, 3);
            kernel::multiply(m, n, k, 1, a.view(), panels, 1, c.data(), n,
                             {.triangle = {of, corner}});
            for (std::size_t i = 0; i < m; ++i)
              for (std::size_t j = 0; j < n; ++j)
                if (of != Of::result || j <= corner + i) {
                  ASSERT_EQ(c(i, j), wanted(i, j)) << m << " x " << n << " x " << k << ", corner "
                                                   << corner << ", " << static_cast<int>(of);
                }
          }
}

/// What is not wanted is left out: whole panels beyond the last row's diagonal stay as they were.
REAL_TEST(Panels, multiply_does_not_touch_what_is_far_beyond_the_diagonal) {
  constexpr std::size_t kWidth = kernel::Panels::kWidth, m = 6, n = 4 * kWidth;
  const Stored a(m, 3, false, 0, 1), b(3, n, false, 0, 2);
  kernel::Panels panels;
  panels.pack(3, n, b.view());
  Tensor c = full({m, n}, 77);
  kernel::multiply(m, n, 3, 1, a.view(), panels, 0, c.data(), n,
                   {.triangle = {kernel::Triangle::Of::result, kWidth - m}});
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(c(i, j) == 77, j >= kWidth) << i << ", " << j;
}

/// Attention packs all keys and multiplies by as many as a block of queries sees.
REAL_TEST(Panels, multiply_by_a_part_of_what_was_packed) {
  for (const bool transpose_b : {false, true}) {
    const Stored b(32, 65, transpose_b, 2, 2);
    kernel::Panels panels;
    panels.pack(32, 65, b.view());
    for (const std::size_t k : kK)
      for (const std::size_t n : kN)
        for (const std::size_t m : {1U, 6U, 9U}) {
          const Stored a(m, k, false, 1, 1);
          ASSERT_TRUE(is_right({m, n, k, -2, 1}, a, b, panels))
              << m << " x " << n << " x " << k << ", transposed: " << transpose_b;
        }
  }
}

REAL_TEST(Panels, multiply_reads_no_neighbour_of_a_prefix) {
  Stored b(8, 40, false, 0, 2);
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t column = 0; column < 40; ++column)
      if (row >= 5 || column >= 19) b.memory(row, column) = kNan;
  kernel::Panels panels;
  panels.pack(8, 40, b.view());
  EXPECT_TRUE(is_right({7, 19, 5}, Stored(7, 5, false, 1, 1), b, panels));
}

REAL_TEST(Panels, no_rows_or_no_columns_are_no_work) {
  const Stored a(3, 4, false, 0, 1), b(4, 5, false, 0, 2);
  kernel::Panels panels;
  panels.pack(4, 5, b.view());
  Tensor c = full({3, 5}, 7);
  kernel::multiply(0, 5, 4, 1, a.view(), panels, 0, c.data(), 5);
  kernel::multiply(3, 0, 4, 1, a.view(), panels, 0, c.data(), 5);
  EXPECT_TRUE(identical(c, full({3, 5}, 7)));
}

/// Sizes on both sides of every bound between panels and BLAS: 8 rows, 48 or 512 columns of A.
std::vector<Product> sizes_around_the_bounds() {
  std::vector<Product> sizes;
  for (const std::size_t m : {1U, 2U, 7U, 8U, 9U, 33U})
    for (const std::size_t n : {1U, 8U, 19U, 64U})
      for (const std::size_t k : {1U, 47U, 48U, 49U, 511U, 512U, 513U}) sizes.push_back({m, n, k});
  return sizes;
}

REAL_TEST(Gemm, plus_row_is_gemm_and_a_loop) {
  for (const Product& p : sizes_around_the_bounds())
    for (const bool transpose_a : {false, true})
      for (const bool transpose_b : {false, true}) {
        const Stored a(p.m, p.k, transpose_a, 2, 1), b(p.k, p.n, transpose_b, 2, 2);
        const Tensor row = whole({p.n}, 4);
        Tensor got = before(p, 3), wanted = before(p, 3);
        gemm_plus_row(p.m, p.n, p.k, a.view(), b.view(), row.data(), got.data(), p.n + 3);
        gemm(p.m, p.n, p.k, 1, a.view(), b.view(), 0, wanted.data(), p.n + 3);
        for (std::size_t i = 0; i < p.m; ++i)
          for (std::size_t j = 0; j < p.n; ++j) wanted(i, j) += row(j);
        // Sums of up to 513 products of at most 9 are exact: no bit may differ.
        EXPECT_TRUE(identical(got, wanted)) << p.m << " x " << p.n << " x " << p.k
                                            << ", transposed: " << transpose_a << transpose_b;
        EXPECT_TRUE(identical(wanted, by_loop(p, a, b, before(p, 3), row.data())))
            << p.m << " x " << p.n << " x " << p.k;
      }
}

/// Each way errs by at most k roundings of the sum of magnitudes, and one for alpha.
REAL_TEST(Gemm, is_blas_to_rounding) {
  for (const Product& p : sizes_around_the_bounds())
    for (const bool transpose_a : {false, true})
      for (const bool transpose_b : {false, true}) {
        const Tensor a = normal({p.m * p.k}, 1), b = normal({p.k * p.n}, 2);
        const Tensor sizes_a = xt::abs(a), sizes_b = xt::abs(b);
        const auto view = [&](const Tensor& x, std::size_t rows, std::size_t columns, bool turned) {
          return MatrixView{x.data(), turned ? rows : columns, turned};
        };
        Tensor got = empty({p.m, p.n}), wanted = got, magnitudes = got;
        const Real alpha = Real(-0.3);
        gemm(p.m, p.n, p.k, alpha, view(a, p.m, p.k, transpose_a), view(b, p.k, p.n, transpose_b),
             0, got.data(), p.n);
        blas_gemm(p.m, p.n, p.k, alpha, view(a, p.m, p.k, transpose_a),
                  view(b, p.k, p.n, transpose_b), 0, wanted.data(), p.n);
        blas_gemm(p.m, p.n, p.k, -alpha, view(sizes_a, p.m, p.k, transpose_a),
                  view(sizes_b, p.k, p.n, transpose_b), 0, magnitudes.data(), p.n);
        for (std::size_t i = 0; i < got.size(); ++i)
          ASSERT_NEAR(got.data()[i], wanted.data()[i],
                      2 * static_cast<double>(p.k + 1) * kEpsilon *
                          static_cast<double>(magnitudes.data()[i]))
              << p.m << " x " << p.n << " x " << p.k;
      }
}

}  // namespace
}  // namespace phasor::inline PHASOR_PRECISION
