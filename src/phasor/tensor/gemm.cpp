#include "phasor/tensor/gemm.hpp"

#include <cblas.h>

namespace phasor::inline PHASOR_PRECISION {
namespace {

#ifdef PHASOR_DOUBLE
constexpr auto blas_gemm = cblas_dgemm;
#else
constexpr auto blas_gemm = cblas_sgemm;
#endif

CBLAS_TRANSPOSE order(const MatrixView& x) { return x.transposed ? CblasTrans : CblasNoTrans; }
blasint extent(std::size_t x) { return static_cast<blasint>(x); }

}  // namespace

void gemm(std::size_t m, std::size_t n, std::size_t k, Real alpha, MatrixView a, MatrixView b,
          Real beta, Real* c, std::size_t c_stride) {
  if (m == 0 || n == 0) return;
  blas_gemm(CblasRowMajor, order(a), order(b), extent(m), extent(n), extent(k), alpha, a.data,
            extent(a.stride), b.data, extent(b.stride), beta, c, extent(c_stride));
}

void use_single_threaded_blas() { openblas_set_num_threads(1); }

}  // namespace phasor::inline PHASOR_PRECISION
