// Products of small matrices, and of a packed matrix with many others.
#pragma once
#include <vector>

#include "phasor/core/memory.hpp"
#include "phasor/tensor/kernels/vector.hpp"
#include "phasor/tensor/matrix_view.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

/// The right-hand side of a product, cut into panels of kWidth columns.
class Panels {
 public:
  /// Columns in a panel: two vector registers.
  static constexpr std::size_t kWidth = 2 * kLanes;

  Panels() = default;
  Panels(const Panels&) = delete;  // a copy would refer to the numbers of the first
  Panels& operator=(const Panels&) = delete;

  /// Packs b [k, n], its extents after transposition: each panel has its rows one after the other,
  /// filled up with zeros, so that the innermost loop reads it in order.
  void pack(std::size_t k, std::size_t n, const MatrixView& b);
  /// The same, but refers to b, which must stay, where its rows are short and whole registers:
  /// they can then be read as they lie.
  void take(std::size_t k, std::size_t n, const MatrixView& b);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  /// The `row`-th row of the panel that begins with `column`, a multiple of kWidth.
  const Real* at(std::size_t row, std::size_t column) const {
    return data_ + column * to_next_column_ + row * to_next_row_;
  }
  std::size_t to_next_row() const { return to_next_row_; }

 private:
  void pack_rows(const MatrixView& b);
  void pack_columns(const MatrixView& b);

  std::size_t rows_ = 0, columns_ = 0;
  const Real* data_ = nullptr;
  std::size_t to_next_column_ = 0, to_next_row_ = 0;
  std::vector<Real, RecyclingAllocator<Real>> packed_;
};

/// What a product leaves out because one of its matrices is a triangle below a diagonal, or
/// transposed above it. In row i the diagonal stands in column `corner` + i.
struct Triangle {
  enum class Of {
    nothing,        // nothing is left out
    result,         // C beyond its diagonal is not wanted, and may hold anything afterwards
    left,           // A is zero beyond its diagonal
    left_as_stored  // A is transposed, and zero beyond the diagonal of what is stored
  };
  Of of = Of::nothing;
  std::size_t corner = 0;
};

struct MultiplyOptions {
  const Real* row = nullptr;  // [n], is added to every row of C
  Triangle triangle = {};
};

/// C [m, n] = alpha * A [m, k] B [k, n] + beta * C, where B is the first k rows and n columns of
/// what `b` holds. With beta = 0, C is not read and may hold anything.
///
/// Six rows of A meet one panel of B at a time: twelve registers of sums, two of B and one of A
/// fill the sixteen that a processor with AVX2 has, and every number that is loaded is used at
/// least six times. Goto and van de Geijn (2008), "Anatomy of high-performance matrix
/// multiplication", without the levels of blocking that only large matrices need.
void multiply(std::size_t m, std::size_t n, std::size_t k, Real alpha, const MatrixView& a,
              const Panels& b, Real beta, Real* c, std::size_t c_stride,
              const MultiplyOptions& options = {});

}  // namespace phasor::inline PHASOR_PRECISION::kernel
