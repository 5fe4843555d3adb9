// Products of small matrices, and of a packed matrix with many others.
#pragma once
#include <vector>

#include "phasor/tensor/kernels/vector.hpp"
#include "phasor/tensor/matrix_view.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

/// The right-hand side of a product, packed: cut into panels of kPanel columns, each with its rows
/// one after the other and filled up with zeros, so that the innermost loop reads it in order.
class Panels {
 public:
  /// Columns in a panel: two vector registers.
  static constexpr std::size_t kWidth = 2 * kLanes;

  /// Packs b [k, n], its extents after transposition.
  void pack(std::size_t k, std::size_t n, const MatrixView& b);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  const Real* panel(std::size_t column) const { return packed_.data() + column * rows_; }

 private:
  void pack_rows(const MatrixView& b);
  void pack_columns(const MatrixView& b);

  std::size_t rows_ = 0, columns_ = 0;
  std::vector<Real> packed_;
};

/// C [m, n] = alpha * A [m, k] B [k, n] + beta * C, where B is the first k rows and n columns of
/// what `b` holds. With beta = 0, C is not read and may hold anything.
///
/// Six rows of A meet one panel of B at a time: twelve registers of sums, two of B and one of A
/// fill the sixteen that a processor with AVX2 has, and every number that is loaded is used at
/// least six times. Goto and van de Geijn (2008), "Anatomy of high-performance matrix
/// multiplication", without the levels of blocking that only large matrices need.
/// `row` [n], unless null, is added to every row of C.
void multiply(std::size_t m, std::size_t n, std::size_t k, Real alpha, const MatrixView& a,
              const Panels& b, Real beta, Real* c, std::size_t c_stride, const Real* row = nullptr);

}  // namespace phasor::inline PHASOR_PRECISION::kernel
