#include "phasor/tensor/gemm.hpp"

#include <cblas.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <mutex>
#include <new>
#include <string_view>

#include "phasor/tensor/kernels/panels.hpp"

namespace {

/// What OpenBLAS takes for the buffer of a call, on x86-64, and a page.
constexpr std::size_t kBlasBuffer = (std::size_t{128} << 20) + 4096;

bool address_space_is_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool has_room_for_buffer() {
  void* room = ::mmap(nullptr, kBlasBuffer, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return room != MAP_FAILED && ::munmap(room, kBlasBuffer) == 0;
}

}  // namespace

#ifndef PHASOR_DOUBLE
/// OpenBLAS asks this how many threads to start when it is loaded, before main, and takes the
/// program's answer for its own: none, as Workers share out the work. Where the system grants no
/// threads or no memory for them (ulimit, a container) it would end the program, or hang at its
/// end. Newer releases then take a buffer at once, and ask for it for ever when there is no room:
/// the last moment to say so.
extern "C" [[gnu::visibility("default")]] int openblas_num_threads_env() {
  if (address_space_is_limited() && !has_room_for_buffer()) {
    static constexpr std::string_view line =
        "phasor: out of memory: OpenBLAS takes 128 MiB, more than the limit of address space "
        "(ulimit -v) leaves; raise the limit\n";
    static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
    ::_exit(2);
  }
  return 1;
}
#endif

namespace phasor::inline PHASOR_PRECISION {
namespace {

#ifdef PHASOR_DOUBLE
constexpr auto any_gemm = cblas_dgemm;
constexpr auto any_gemv = cblas_dgemv;
#else
constexpr auto any_gemm = cblas_sgemm;
constexpr auto any_gemv = cblas_sgemv;
#endif

CBLAS_TRANSPOSE order(const MatrixView& x) { return x.transposed ? CblasTrans : CblasNoTrans; }
blasint extent(std::size_t x) { return static_cast<blasint>(x); }

/// Held during a call of BLAS where address space is limited (ulimit -v): without a buffer OpenBLAS
/// asks for one for ever. One call at a time needs one buffer, which stays.
std::unique_lock<std::mutex> blas_turn() {
  static const bool is_limited = address_space_is_limited();
  if (!is_limited) return {};
  static std::mutex mutex;
  std::unique_lock turn(mutex);
  static bool has_buffer = false;
  if (!has_buffer && !has_room_for_buffer()) throw std::bad_alloc();
  has_buffer = true;
  return turn;
}

/// Whether panels are faster than BLAS, which spends as long on preparing a small product as on
/// computing it. Built for registers of four floats they would not use the processor's wider ones,
/// as BLAS does; a long k leaves the first-level cache; and a long transposed A is read across its
/// rows, where BLAS copies it first.
bool suits_panels(std::size_t m, std::size_t k, bool transposed_a) {
  return kernel::kLanes * sizeof(Real) >= 32 && m >= 8 && k <= (transposed_a ? 48 : 512);
}

/// b in the panels that this thread keeps.
const kernel::Panels& packed(std::size_t k, std::size_t n, const MatrixView& b) {
  static thread_local kernel::Panels panels;
  panels.pack(k, n, b);
  return panels;
}

}  // namespace

void gemm(std::size_t m, std::size_t n, std::size_t k, Real alpha, MatrixView a, MatrixView b,
          Real beta, Real* c, std::size_t c_stride) {
  if (!suits_panels(m, k, a.transposed)) return blas_gemm(m, n, k, alpha, a, b, beta, c, c_stride);
  kernel::multiply(m, n, k, alpha, a, packed(k, n, b), beta, c, c_stride);
}

void gemm_plus_row(std::size_t m, std::size_t n, std::size_t k, MatrixView a, MatrixView b,
                   const Real* row, Real* c, std::size_t c_stride) {
  if (suits_panels(m, k, a.transposed))
    return kernel::multiply(m, n, k, 1, a, packed(k, n, b), 0, c, c_stride, {.row = row});
  for (std::size_t i = 0; i < m; ++i) std::copy_n(row, n, c + i * c_stride);
  blas_gemm(m, n, k, 1, a, b, 1, c, c_stride);
}

void blas_gemm(std::size_t m, std::size_t n, std::size_t k, Real alpha, MatrixView a, MatrixView b,
               Real beta, Real* c, std::size_t c_stride) {
  if (m == 0 || n == 0) return;
  const auto turn = blas_turn();
  if (m == 1 && !a.transposed) {  // a row times B is B^T times a column
    any_gemv(CblasRowMajor, b.transposed ? CblasNoTrans : CblasTrans, extent(b.transposed ? n : k),
             extent(b.transposed ? k : n), alpha, b.data, extent(b.stride), a.data, 1, beta, c, 1);
    return;
  }
  any_gemm(CblasRowMajor, order(a), order(b), extent(m), extent(n), extent(k), alpha, a.data,
           extent(a.stride), b.data, extent(b.stride), beta, c, extent(c_stride));
}

void use_single_threaded_blas() { openblas_set_num_threads(1); }

}  // namespace phasor::inline PHASOR_PRECISION
