#include "phasor/ops/matmul.hpp"

#include "phasor/core/error.hpp"
#include "phasor/tensor/gemm.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// `count` products of [m, k] by [k, n]; b stands still when it is shared by all.
struct Products {
  std::size_t count, m, n, k, b_step;
};

Products plan(const Shape& a, const Shape& b, bool transpose_b) {
  check(a.size() >= 2 && b.size() >= 2, "[matmul] needs at least 2 axes, got {} and {}", a, b);
  const std::size_t inner = b[b.size() - (transpose_b ? 1 : 2)];
  const std::size_t n = b[b.size() - (transpose_b ? 2 : 1)];
  check(a.back() == inner, "[matmul] the inner extents differ: {} in {} against {} in {}{}",
        a.back(), a, inner, b, transpose_b ? " (transposed)" : "");
  std::size_t m = a[a.size() - 2], count = 1;
  if (b.size() == 2) {
    m = element_count({a.begin(), a.end() - 1});  // one product over all rows of a
  } else {
    check(std::equal(a.begin(), a.end() - 2, b.begin(), b.end() - 2),
          "[matmul] the leading axes of {} and {} differ; make them equal, or give b two axes", a,
          b);
    count = element_count({a.begin(), a.end() - 2});
  }
  return {count, m, n, inner, count == 1 ? 0 : inner * n};
}

/// sum [n] += the sum of the m rows of x, four at a time: the sum is then read a fourth as often.
void add_rows(std::size_t m, std::size_t n, const Real* x, Real* sum) {
  std::size_t row = 0;
  for (; row + 4 <= m; row += 4, x += 4 * n)
    for (std::size_t i = 0; i < n; ++i) sum[i] += (x[i] + x[n + i]) + (x[2 * n + i] + x[3 * n + i]);
  for (; row < m; ++row, x += n)
    for (std::size_t i = 0; i < n; ++i) sum[i] += x[i];
}

}  // namespace

Var matmul(const Var& a, const Var& b, MatmulOptions options) {
  const auto [transpose_b, scale] = options;
  const Products p = plan(a.shape(), b.shape(), transpose_b);
  const std::size_t b_stride = b.shape().back();
  Shape shape = a.shape();
  shape.back() = p.n;
  Tensor y = empty(shape);
  for (std::size_t i = 0; i < p.count; ++i)
    gemm(p.m, p.n, p.k, scale, {a.value().data() + i * p.m * p.k, p.k},
         {b.value().data() + i * p.b_step, b_stride, transpose_b}, 0, y.data() + i * p.m * p.n,
         p.n);

  return Var::op("matmul", std::move(y), {a, b}, [p, b_stride, options](const OpGrad& g) {
    const auto dy = [&](std::size_t i, bool transposed) {
      return MatrixView{g.dy().data() + i * p.m * p.n, p.n, transposed};
    };
    const auto stored_a = [&](std::size_t i, bool transposed) {
      return MatrixView{g.input(0).data() + i * p.m * p.k, p.k, transposed};
    };
    if (g.needs(0)) {
      const auto [da, beta] = g.sum(0);
      for (std::size_t i = 0; i < p.count; ++i)
        gemm(p.m, p.k, p.n, options.scale, dy(i, false),
             {g.input(1).data() + i * p.b_step, b_stride, !options.transpose_b}, beta,
             da + i * p.m * p.k, p.k);
    }
    if (!g.needs(1)) return;
    const auto [db, beta] = g.sum(1);
    for (std::size_t i = 0; i < p.count; ++i) {
      Real* out = db + i * p.b_step;
      if (options.transpose_b)
        gemm(p.n, p.k, p.m, options.scale, dy(i, true), stored_a(i, false), beta, out, b_stride);
      else
        gemm(p.k, p.n, p.m, options.scale, stored_a(i, true), dy(i, false), beta, out, b_stride);
    }
  });
}

Var linear(const Var& x, const Var& weight, const Var& bias) {
  check(weight.rank() == 2 && x.rank() >= 1 && x.shape().back() == weight.shape()[1],
        "[linear] x {} must end in the second extent of weight {}", x.shape(), weight.shape());
  const std::size_t n = weight.shape()[0], k = weight.shape()[1];
  const std::size_t m = element_count({x.shape().begin(), x.shape().end() - 1});
  check(!bias || bias.shape() == Shape{n},
        "[linear] bias {} must be [{}], as many as weight has rows", bias ? bias.shape() : Shape{},
        n);
  Shape shape = x.shape();
  shape.back() = n;
  Tensor y = empty(shape);
  const MatrixView rows{x.value().data(), k}, columns{weight.value().data(), k, true};
  if (bias)
    gemm_plus_row(m, n, k, rows, columns, bias.value().data(), y.data(), n);
  else
    gemm(m, n, k, 1, rows, columns, 0, y.data(), n);

  std::vector<Var> inputs{x, weight};
  if (bias) inputs.push_back(bias);
  return Var::op("linear", std::move(y), std::move(inputs), [m, n, k](const OpGrad& g) {
    const Real* dy = g.dy().data();
    if (g.needs(0)) {
      const auto [dx, beta] = g.sum(0);
      gemm(m, k, n, 1, {dy, n}, {g.input(1).data(), k}, beta, dx, k);
    }
    if (g.needs(1)) {
      const auto [dweight, beta] = g.sum(1);
      gemm(n, k, m, 1, {dy, n, true}, {g.input(0).data(), k}, beta, dweight, k);
    }
    if (g.input_count() < 3 || !g.needs(2)) return;
    add_rows(m, n, dy, g.into(2).data());
  });
}

}  // namespace phasor::inline PHASOR_PRECISION
