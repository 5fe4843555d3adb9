#include "phasor/tensor/kernels/panels.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {
namespace {

/// Rows of A that one pass takes when `left` are left: six, but at the end rather twice four or
/// five than six and a rest, for less than four leave the multipliers idle.
std::size_t rows_at_once(std::size_t left) {
  if (left >= 10 || left <= 6) return left >= 6 ? 6 : left;
  return left == 9 ? 5 : 4;
}

/// Element (i, p) of A is data[i * row + p * step].
struct Rows {
  const Real* data;
  std::size_t row, step;
};

/// A block of C, and what becomes of it: alpha A B + beta C + row.
struct Target {
  Real* data;
  std::size_t stride;
  Real alpha, beta;
  const Real* row;  // or null
};

/// The rows of one panel of B.
struct Panel {
  const Real* data;
  std::size_t step;
};

/// `R` rows of A times `V` registers' width of a panel.
template <std::size_t R, std::size_t V>
void tile(std::size_t k, const Rows& a, Panel panel, const Target& c) {
  Batch sums[R][V];
  for (std::size_t r = 0; r < R; ++r)
    for (std::size_t v = 0; v < V; ++v) sums[r][v] = Batch(Real{0});
  for (std::size_t p = 0; p < k; ++p, panel.data += panel.step) {
    Batch b[V];
    for (std::size_t v = 0; v < V; ++v) b[v] = Batch::load_unaligned(panel.data + v * kLanes);
    for (std::size_t r = 0; r < R; ++r) {
      const Batch x(a.data[r * a.row + p * a.step]);
      for (std::size_t v = 0; v < V; ++v) sums[r][v] = xsimd::fma(x, b[v], sums[r][v]);
    }
  }
  for (std::size_t r = 0; r < R; ++r)
    for (std::size_t v = 0; v < V; ++v) {
      Real* out = c.data + r * c.stride + v * kLanes;
      Batch y = Batch(c.alpha) * sums[r][v];
      if (c.beta != 0) y = xsimd::fma(Batch(c.beta), Batch::load_unaligned(out), y);
      if (c.row) y += Batch::load_unaligned(c.row + v * kLanes);
      y.store_unaligned(out);
    }
}

/// The same where C has less than a panel's columns.
template <std::size_t R>
void rest(std::size_t k, const Rows& a, const Panel& panel, const Target& c, std::size_t columns) {
  Real whole[R * Panels::kWidth];
  const Target aside{whole, Panels::kWidth, c.alpha, 0, nullptr};
  if (columns <= kLanes)
    tile<R, 1>(k, a, panel, aside);
  else
    tile<R, 2>(k, a, panel, aside);
  for (std::size_t r = 0; r < R; ++r)
    for (std::size_t j = 0; j < columns; ++j) {
      Real& out = c.data[r * c.stride + j];
      out =
          whole[r * Panels::kWidth + j] + (c.beta != 0 ? c.beta * out : 0) + (c.row ? c.row[j] : 0);
    }
}

/// `R` rows of A times rows `from` to `from + k - 1` of all panels.
template <std::size_t R>
void rows_by_panels(std::size_t from, std::size_t k, std::size_t n, const Rows& a, const Panels& b,
                    Target c) {
  std::size_t first = 0;
  for (; first + Panels::kWidth <= n; first += Panels::kWidth) {
    tile<R, 2>(k, a, {b.at(from, first), b.to_next_row()}, c);
    c.data += Panels::kWidth;
    if (c.row) c.row += Panels::kWidth;
  }
  if (first < n) rest<R>(k, a, {b.at(from, first), b.to_next_row()}, c, n - first);
}

constexpr decltype(&rows_by_panels<1>) kByRows[] = {
    nullptr,           rows_by_panels<1>, rows_by_panels<2>, rows_by_panels<3>,
    rows_by_panels<4>, rows_by_panels<5>, rows_by_panels<6>};

/// The columns of C that are wanted of some rows, and the rows of B that matter for them.
struct Needed {
  std::size_t columns, from, to;
};

/// For rows `first` to `last`.
Needed needed(const Triangle& triangle, std::size_t first, std::size_t last, std::size_t n,
              std::size_t k) {
  const std::size_t corner = triangle.corner, beyond = corner + last + 1;
  switch (triangle.of) {
    case Triangle::Of::result:  // whole panels are no more work
      return {std::min(n, (beyond + Panels::kWidth - 1) / Panels::kWidth * Panels::kWidth), 0, k};
    case Triangle::Of::left:
      return {n, 0, std::min(k, beyond)};
    case Triangle::Of::left_as_stored:
      return {n, first > corner ? std::min(k, first - corner) : 0, k};
    case Triangle::Of::nothing:
      break;
  }
  return {n, 0, k};
}

}  // namespace

void Panels::take(std::size_t k, std::size_t n, const MatrixView& b) {
  if (b.transposed || n % kLanes != 0 || b.stride > 2 * kWidth) return pack(k, n, b);
  rows_ = k;
  columns_ = n;
  data_ = b.data;
  to_next_column_ = 1;
  to_next_row_ = b.stride;
}

void Panels::pack(std::size_t k, std::size_t n, const MatrixView& b) {
  rows_ = k;
  columns_ = n;
  packed_.resize((n + kWidth - 1) / kWidth * kWidth * k);
  data_ = packed_.data();
  to_next_column_ = k;
  to_next_row_ = kWidth;
  if (b.transposed)
    pack_columns(b);
  else
    pack_rows(b);
}

void Panels::pack_rows(const MatrixView& b) {
  Real* out = packed_.data();
  for (std::size_t first = 0; first < columns_; first += kWidth) {
    const std::size_t width = std::min(kWidth, columns_ - first);
    const Real* in = b.data + first;
    for (std::size_t p = 0; p < rows_; ++p, in += b.stride, out += kWidth) {
      if (width == kWidth) {
        Batch::load_unaligned(in).store_unaligned(out);
        Batch::load_unaligned(in + kLanes).store_unaligned(out + kLanes);
      } else {
        std::fill(std::copy(in, in + width, out), out + kWidth, Real{0});
      }
    }
  }
}

void Panels::pack_columns(const MatrixView& b) {
  constexpr std::size_t kRun = 8;  // numbers of a row read together: half a cache line
  Real* out = packed_.data();
  for (std::size_t first = 0; first < columns_; first += kWidth, out += rows_ * kWidth) {
    const std::size_t width = std::min(kWidth, columns_ - first);
    if (width < kWidth) std::fill(out, out + rows_ * kWidth, Real{0});
    const Real* in = b.data + first * b.stride;
    std::size_t p = 0;
    for (; p + kRun <= rows_; p += kRun)
      for (std::size_t j = 0; j < width; ++j)
        for (std::size_t i = 0; i < kRun; ++i) out[(p + i) * kWidth + j] = in[j * b.stride + p + i];
    for (; p < rows_; ++p)
      for (std::size_t j = 0; j < width; ++j) out[p * kWidth + j] = in[j * b.stride + p];
  }
}

void multiply(std::size_t m, std::size_t n, std::size_t k, Real alpha, const MatrixView& a,
              const Panels& b, Real beta, Real* c, std::size_t c_stride,
              const MultiplyOptions& options) {
  const std::size_t next = a.transposed ? 1 : a.stride, step = a.transposed ? a.stride : 1;
  // All panels for a few rows, then the next rows: what they write of C is then written at once.
  for (std::size_t i = 0; i < m;) {
    const std::size_t group = rows_at_once(m - i);
    const auto [columns, from, to] = needed(options.triangle, i, i + group - 1, n, k);
    kByRows[group](from, to - from, columns, {a.data + i * next + from * step, next, step}, b,
                   {c + i * c_stride, c_stride, alpha, beta, options.row});
    i += group;
  }
}

}  // namespace phasor::inline PHASOR_PRECISION::kernel
