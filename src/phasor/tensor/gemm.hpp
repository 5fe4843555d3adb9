// The one place that multiplies matrices, and the one file that calls BLAS.
#pragma once
#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// A matrix inside row-major memory. `stride` is the distance between rows, so a head can be read
/// out of a wider array without a copy; `transposed` multiplies by the transpose of what is stored.
struct MatrixView {
  const Real* data;
  std::size_t stride;
  bool transposed = false;
};

/// C [m, n] = alpha * A [m, k] B [k, n] + beta * C, the extents after transposition.
/// With beta = 0, C is not read and may hold anything.
void gemm(std::size_t m, std::size_t n, std::size_t k, Real alpha, MatrixView a, MatrixView b,
          Real beta, Real* c, std::size_t c_stride);

/// Keeps BLAS on the calling thread from now on. The library runs in parallel over shards of a
/// batch, and two levels of threads would fight for the same cores.
void use_single_threaded_blas();

}  // namespace phasor::inline PHASOR_PRECISION
