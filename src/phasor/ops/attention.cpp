#include "phasor/ops/attention.hpp"

#include "phasor/core/error.hpp"
#include "phasor/tensor/kernels/attention.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

/// Up to so many keys the weights are kept for backward, which is faster than making them again;
/// beyond, memory would grow with the square of the context.
constexpr std::size_t kKeptKeys = 256;

/// The arrays of all heads, and where each head's begin.
struct Heads {
  std::size_t count, in_sequence;
  kernel::AttentionExtents extents;
  std::size_t bias_heads;  // 0: no bias, 1: the same for all heads
  bool by_distance;

  std::size_t queries(std::size_t head) const { return head * extents.T * extents.D; }
  std::size_t keys(std::size_t head) const { return head * extents.S * extents.D; }
  std::size_t values(std::size_t head) const { return head * extents.S * extents.E; }
  std::size_t outputs(std::size_t head) const { return head * extents.T * extents.E; }
  std::size_t weights(std::size_t head) const {
    return head * extents.T * kernel::weights_stride(extents.S);
  }

  /// One head's rows of a bias. By distance, the last query's row is the whole array, and each
  /// query before it starts one place further on.
  template <class Number>
  kernel::BiasRows<Number> bias(Number* data, std::size_t head) const {
    if (bias_heads == 0) return {};
    const std::size_t h = head % in_sequence % bias_heads, T = extents.T, S = extents.S;
    if (by_distance) return {data + h * S + (T - 1), -1};
    return {data + h * T * S, static_cast<std::ptrdiff_t>(S)};
  }
};

Heads plan(const Var& q, const Var& k, const Var& v, const Var& bias,
           const AttentionOptions& options) {
  check(q.rank() == 4 && k.rank() == 4 && v.rank() == 4,
        "[attention] wants q [B, H, T, D], k [B, H, S, D], v [B, H, S, E], got {}, {} and {}",
        q.shape(), k.shape(), v.shape());
  const std::size_t B = q.shape()[0], H = q.shape()[1], T = q.shape()[2], D = q.shape()[3];
  const std::size_t S = k.shape()[2], E = v.shape()[3];
  check(k.shape() == Shape{B, H, S, D} && v.shape() == Shape{B, H, S, E},
        "[attention] k {} and v {} must have the sequences and heads of q {}, k its width, v the "
        "length of k",
        k.shape(), v.shape(), q.shape());
  check(S > 0, "[attention] needs at least one key, got k {}", k.shape());
  check(!options.causal || S >= T,
        "[attention] causal queries are the last of the keys' tokens: {} queries need as many "
        "keys, got {}",
        T, S);
  const Shape shape = bias ? bias.shape() : Shape{};
  const bool by_distance = options.causal && shape.size() == 2 && shape[1] == S;
  const bool is_whole = shape.size() == 3 && shape[1] == T && shape[2] == S;
  check(!bias || ((by_distance || is_whole) && (shape[0] == H || shape[0] == 1)),
        "[attention] bias {} must be [{}, {}, {}], or [{}, {}] where attention is causal, or with "
        "one head for all",
        shape, H, T, S, H, S);
  return {B * H, H, {T, S, D, E, options.scale, options.causal}, bias ? shape[0] : 0, by_distance};
}

void attention_backward(const Heads& heads, const std::vector<Real>& log_sums,
                        const Tensor& weights, const OpGrad& g) {
  Real *dq = g.wanted(0), *dk = g.wanted(1), *dv = g.wanted(2), *dbias = g.wanted(3);
  const Real* bias = heads.bias_heads > 0 ? g.input(3).data() : nullptr;
  for (std::size_t i = 0; i < heads.count; ++i)
    kernel::attention_backward(
        heads.extents,
        {g.input(0).data() + heads.queries(i), g.input(1).data() + heads.keys(i),
         g.input(2).data() + heads.values(i), heads.bias(bias, i)},
        g.output().data() + heads.outputs(i), log_sums.data() + i * heads.extents.T,
        weights.size() > 0 ? weights.data() + heads.weights(i) : nullptr,
        g.dy().data() + heads.outputs(i),
        {dq ? dq + heads.queries(i) : nullptr, dk ? dk + heads.keys(i) : nullptr,
         dv ? dv + heads.values(i) : nullptr,
         dbias ? heads.bias(dbias, i) : kernel::BiasRows<Real>{}});
}

}  // namespace

Var attention(const Var& q, const Var& k, const Var& v, const Var& bias,
              const AttentionOptions& options) {
  const Heads heads = plan(q, k, v, bias, options);
  const std::size_t T = heads.extents.T;
  Tensor out = empty({q.shape()[0], heads.in_sequence, T, heads.extents.E});
  std::vector<Real> log_sums(heads.count * T);
  const bool keeps = heads.extents.S <= kKeptKeys && (q.requires_grad() || k.requires_grad() ||
                                                      v.requires_grad() || bias.requires_grad());
  Tensor weights = empty({keeps ? heads.weights(heads.count) : 0});
  for (std::size_t i = 0; i < heads.count; ++i)
    kernel::attention(
        heads.extents,
        {q.value().data() + heads.queries(i), k.value().data() + heads.keys(i),
         v.value().data() + heads.values(i), heads.bias(bias ? bias.value().data() : nullptr, i)},
        out.data() + heads.outputs(i), log_sums.data() + i * T,
        keeps ? weights.data() + heads.weights(i) : nullptr);

  std::vector<Var> inputs{q, k, v};
  if (bias) inputs.push_back(bias);
  return Var::op("attention", std::move(out), std::move(inputs),
                 [heads, log_sums = std::move(log_sums), weights = std::move(weights)](
                     const OpGrad& g) { attention_backward(heads, log_sums, weights, g); });
}

}  // namespace phasor::inline PHASOR_PRECISION
