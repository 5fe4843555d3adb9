// The one place that multiplies matrices, and the one file that calls BLAS.
#pragma once
#include "phasor/tensor/matrix_view.hpp"
#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// C [m, n] = alpha * A [m, k] B [k, n] + beta * C, the extents after transposition.
/// With beta = 0, C is not read and may hold anything. Small products, of which a Mini-GPT is made,
/// go through kernels/panels.hpp where vector registers are wide; BLAS does the rest.
void gemm(std::size_t m, std::size_t n, std::size_t k, Real alpha, MatrixView a, MatrixView b,
          Real beta, Real* c, std::size_t c_stride);

/// C [m, n] = A B + row, `row` [n] added to every row of C.
void gemm_plus_row(std::size_t m, std::size_t n, std::size_t k, MatrixView a, MatrixView b,
                   const Real* row, Real* c, std::size_t c_stride);

/// As gemm, always by BLAS.
void blas_gemm(std::size_t m, std::size_t n, std::size_t k, Real alpha, MatrixView a, MatrixView b,
               Real beta, Real* c, std::size_t c_stride);

/// Keeps BLAS on the calling thread from now on. The library runs in parallel over shards of a
/// batch, and two levels of threads would fight for the same cores.
void use_single_threaded_blas();

}  // namespace phasor::inline PHASOR_PRECISION
