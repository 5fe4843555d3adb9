// Softmax attention of one head, a block of queries at a time, with its backward.
#pragma once
#include <cstddef>

#include "phasor/core/real.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

struct AttentionExtents {
  std::size_t T, S;  // queries, keys (at least one)
  std::size_t D, E;  // width of queries and keys, width of values
  Real scale;        // on q.k
  bool causal;       // query t is the (S - T + t)-th token and sees no key after itself

  /// Keys that query t sees: the first so many.
  std::size_t seen(std::size_t t) const { return causal ? S - T + t + 1 : S; }
};

/// What is added to the logits. Row t begins at data + t * step; a negative step goes backwards
/// through the values of all distances, where neighbouring rows share all but one. Null: nothing.
template <class Number>
struct BiasRows {
  Number* data = nullptr;
  std::ptrdiff_t step = 0;
  Number* row(std::size_t t) const { return data + static_cast<std::ptrdiff_t>(t) * step; }
};

/// One head's arrays, rows one after the other.
struct AttentionHead {
  const Real *q, *k, *v;      // [T, D], [S, D], [S, E]
  BiasRows<const Real> bias;  // rows of S
  const Real* bias_row(std::size_t t) const { return bias.data ? bias.row(t) : nullptr; }
};

/// Elements from one row of kept weights to the next.
std::size_t weights_stride(std::size_t S);

/// out [T, E] = softmax(scale q k^T + bias) v, and log_sums [T] = ln sum exp(logits), from which
/// backward makes the weights again. `weights`, unless null, has room for T rows at
/// weights_stride(S): they are left there, and backward need not make them.
void attention(const AttentionExtents& extents, const AttentionHead& head, Real* out,
               Real* log_sums, Real* weights);

/// Where backward adds the gradients. A null pointer means it is not wanted.
struct AttentionGradients {
  Real *dq = nullptr, *dk = nullptr, *dv = nullptr;
  BiasRows<Real> dbias;
};

/// With weights P = exp(logits - log_sums), or those that forward has left in `weights`:
///   dv = P^T dout,  dS = P * (dout v^T - rowsum(dout * out)),
///   dq = scale dS k,  dk = scale dS^T q,  dbias = dS.
void attention_backward(const AttentionExtents& extents, const AttentionHead& head, const Real* out,
                        const Real* log_sums, const Real* weights, const Real* dout,
                        const AttentionGradients& gradients);

}  // namespace phasor::inline PHASOR_PRECISION::kernel
