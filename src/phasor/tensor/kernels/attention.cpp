#include "phasor/tensor/kernels/attention.hpp"

#include <cmath>
#include <limits>

#include "phasor/tensor/kernels/panels.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {
namespace {

/// A logit whose weight is 0, whatever the others are.
constexpr Real kNothing = -std::numeric_limits<Real>::infinity();

/// `keys` rounded up to the end of a register.
std::size_t whole_registers(std::size_t keys) { return (keys + kLanes - 1) / kLanes * kLanes; }

/// Queries `first` to `first + rows - 1`, of which the last sees the first `keys` keys.
struct Block {
  std::size_t first, rows, keys;
};

/// Logits or weights of a block, [rows, keys] with room at the end of a row to fill a register.
class Scores {
 public:
  void reset(const AttentionExtents& x) {
    stride_ = weights_stride(x.S);
    rows_ = std::min(x.T, std::clamp<std::size_t>(kScores / x.S, 8, kMostRows));
    data_.resize(rows_ * stride_);
  }
  std::size_t rows() const { return rows_; }
  Real* data() { return data_.data(); }
  Real* row(std::size_t r) { return data_.data() + r * stride_; }

 private:
  static constexpr std::size_t kMostRows = 64;   // fewer add to the keys' gradients more often
  static constexpr std::size_t kScores = 16384;  // 64 KiB of floats leave room in the cache
  std::size_t stride_ = 0, rows_ = 0;
  std::vector<Real, RecyclingAllocator<Real>> data_;
};

/// Arrays that a thread keeps from call to call.
struct Room {
  Panels keys, values, key_rows, queries;
  Scores weights, scores;
};
Room& room() {
  static thread_local Room kept;
  return kept;
}

template <class F>
void for_each_block(const AttentionExtents& x, std::size_t rows, F f) {
  for (std::size_t first = 0; first < x.T; first += rows) {
    const std::size_t count = std::min(rows, x.T - first);
    f(Block{first, count, x.seen(first + count - 1)});
  }
}

/// What causal attention leaves out of a block's products.
Triangle hidden(const AttentionExtents& x, const Block& block, Triangle::Of of) {
  return x.causal ? Triangle{of, x.seen(block.first) - 1} : Triangle{};
}

/// scale q k^T of a block; `keys` holds k^T. Rows of `logits` are weights_stride() apart.
void block_logits(const AttentionExtents& x, const Block& block, const Real* q, const Panels& keys,
                  Real* logits) {
  multiply(block.rows, x.S, x.D, x.scale, {q + block.first * x.D, x.D}, keys, 0, logits,
           weights_stride(x.S), {.triangle = hidden(x, block, Triangle::Of::result)});
}

/// Adds the bias to the `seen` and takes the rest of their last register away.
void finish_logits(Real* row, std::size_t seen, const Real* bias) {
  if (bias) map(row, bias, row, seen, [](const Batch& x, const Batch& b) { return x + b; });
  std::fill(row + seen, row + whole_registers(seen), kNothing);
}

/// row = exp(row - top) of those seen, 0 for the rest of `keys`, and the sum of it.
Real exponentials(Real* row, std::size_t seen, std::size_t keys, Real top) {
  const std::size_t end = whole_registers(seen);
  if (end < keys) std::fill(row + end, row + keys, Real{0});
  Batch total(Real{0});
  for (std::size_t s = 0; s < seen; s += kLanes) {
    const Batch e = xsimd::exp(Batch::load_unaligned(row + s) - Batch(top));
    e.store_unaligned(row + s);
    total += e;
  }
  return sum_of_lanes(total);
}

/// Logits to weights, with 0 for the rest of `keys`; the logarithm of the exponentials' sum.
Real softmax(Real* row, std::size_t seen, std::size_t keys) {
  const Real top = largest(row, seen);
  const Real sum = exponentials(row, seen, keys, top);
  const Batch factor(1 / sum);
  for (std::size_t s = 0; s < seen; s += kLanes)
    (factor * Batch::load_unaligned(row + s)).store_unaligned(row + s);
  return top + std::log(sum);
}

/// One query alone, as in generation: packing the keys would cost more than using them.
Real attend_once(const AttentionExtents& x, const AttentionHead& head, Real* out) {
  Scores& weights = room().weights;
  weights.reset(x);
  Real* row = weights.row(0);
  for (std::size_t s = 0; s < x.S; ++s) row[s] = x.scale * dot(head.q, head.k + s * x.D, x.D);
  finish_logits(row, x.S, head.bias_row(0));
  const Real log_sum = softmax(row, x.S, x.S);
  std::fill(out, out + x.E, Real{0});
  for (std::size_t s = 0; s < x.S; ++s)
    for (std::size_t e = 0; e < x.E; ++e) out[e] += row[s] * head.v[s * x.E + e];
  return log_sum;
}

/// The weights of a block once more, from the logarithms that forward has kept.
void weights_again(const AttentionExtents& x, const AttentionHead& head, const Block& block,
                   const Panels& keys, const Real* log_sums, Scores& weights) {
  block_logits(x, block, head.q, keys, weights.data());
  for (std::size_t r = 0; r < block.rows; ++r) {
    const std::size_t t = block.first + r;
    finish_logits(weights.row(r), x.seen(t), head.bias_row(t));
    exponentials(weights.row(r), x.seen(t), block.keys, log_sums[t]);
  }
}

/// dS = P * (dP - rowsum(dout * out)) for one query, in the place of dP; 0 for the rest of `keys`.
void score_gradient(const Real* weights, Real* scores, std::size_t seen, std::size_t keys,
                    Real mean) {
  for (std::size_t s = 0; s < seen; s += kLanes)
    (Batch::load_unaligned(weights + s) * (Batch::load_unaligned(scores + s) - Batch(mean)))
        .store_unaligned(scores + s);
  std::fill(scores + seen, scores + keys, Real{0});
}

}  // namespace

std::size_t weights_stride(std::size_t S) {
  // No power of two: rows would share the same few lines of the cache.
  return whole_registers(S) + 16;
}

void attention(const AttentionExtents& x, const AttentionHead& head, Real* out, Real* log_sums,
               Real* weights) {
  if (x.T == 1 && !weights) {
    log_sums[0] = attend_once(x, head, out);
    return;
  }
  Room& kept = room();
  Panels &keys = kept.keys, &values = kept.values;
  const std::size_t stride = weights_stride(x.S);
  keys.pack(x.D, x.S, {head.k, x.D, true});
  values.take(x.S, x.E, {head.v, x.E});
  kept.weights.reset(x);
  for_each_block(x, kept.weights.rows(), [&](const Block& block) {
    Real* rows = weights ? weights + block.first * stride : kept.weights.data();
    block_logits(x, block, head.q, keys, rows);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const std::size_t t = block.first + r;
      finish_logits(rows + r * stride, x.seen(t), head.bias_row(t));
      log_sums[t] = softmax(rows + r * stride, x.seen(t), block.keys);
    }
    multiply(block.rows, x.E, block.keys, 1, {rows, stride}, values, 0, out + block.first * x.E,
             x.E, {.triangle = hidden(x, block, Triangle::Of::left)});
  });
}

void attention_backward(const AttentionExtents& x, const AttentionHead& head, const Real* out,
                        const Real* log_sums, const Real* weights, const Real* dout,
                        const AttentionGradients& gradients) {
  Room& kept = room();
  Panels &keys = kept.keys, &values = kept.values, &key_rows = kept.key_rows;
  Panels& queries = kept.queries;
  Scores &again = kept.weights, &scores = kept.scores;
  const std::size_t stride = weights_stride(x.S);
  if (!weights) keys.pack(x.D, x.S, {head.k, x.D, true});
  values.pack(x.E, x.S, {head.v, x.E, true});
  key_rows.take(x.S, x.D, {head.k, x.D});
  again.reset(x);
  scores.reset(x);
  for_each_block(x, again.rows(), [&](const Block& block) {
    const Real* dout_block = dout + block.first * x.E;
    if (!weights) weights_again(x, head, block, keys, log_sums, again);
    const Real* rows = weights ? weights + block.first * stride : again.data();
    multiply(block.rows, x.S, x.E, 1, {dout_block, x.E}, values, 0, scores.data(), stride,
             {.triangle = hidden(x, block, Triangle::Of::result)});
    for (std::size_t r = 0; r < block.rows; ++r) {
      const std::size_t t = block.first + r;
      score_gradient(rows + r * stride, scores.row(r), x.seen(t), block.keys,
                     dot(dout + t * x.E, out + t * x.E, x.E));
      if (!gradients.dbias.data) continue;
      Real* dbias = gradients.dbias.row(t);
      map(dbias, scores.row(r), dbias, x.seen(t),
          [](const Batch& a, const Batch& b) { return a + b; });
    }
    if (gradients.dv) {
      queries.take(block.rows, x.E, {dout_block, x.E});
      multiply(block.keys, x.E, block.rows, 1, {rows, stride, true}, queries, 1, gradients.dv, x.E,
               {.triangle = hidden(x, block, Triangle::Of::left_as_stored)});
    }
    if (gradients.dq)
      multiply(block.rows, x.D, block.keys, x.scale, {scores.data(), stride}, key_rows, 1,
               gradients.dq + block.first * x.D, x.D,
               {.triangle = hidden(x, block, Triangle::Of::left)});
    if (gradients.dk) {
      queries.take(block.rows, x.D, {head.q + block.first * x.D, x.D});
      multiply(block.keys, x.D, block.rows, x.scale, {scores.data(), stride, true}, queries, 1,
               gradients.dk, x.D, {.triangle = hidden(x, block, Triangle::Of::left_as_stored)});
    }
  });
}

}  // namespace phasor::inline PHASOR_PRECISION::kernel
