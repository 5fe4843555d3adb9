// Softmax attention as one op, which never holds the weights of all heads at once.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct AttentionOptions {
  Real scale = 1;      // on q k^T
  bool causal = true;  // query t, the (S - T + t)-th token, sees no key after itself
};

/// out = softmax(scale q k^T + bias) v for each head, what is hidden left out.
/// q: [B, H, T, D], k: [B, H, S, D], v: [B, H, S, E] -> [B, H, T, E]. The bias is the same for all
/// sequences:
///   an empty Var   nothing is added
///   [H, T, S]      bias[h, t, s]
///   [H, S]         by distance, for causal attention at consecutive positions: key s is
///                  rel = S - T + t - s before query t and gets bias[h, S - 1 - rel]
/// where one head's bias, [1, ...], serves all.
/// The equal of matmul, add, masked_fill, softmax and matmul. Computed for a block of queries at a
/// time over the keys that the block sees, so that memory grows with S and not with its square.
/// Kept for backward are out and one number a row, l = ln sum exp(logits); backward computes the
/// weights P = exp(logits - l) again (those of up to 256 keys are kept):
///   dv = P^T dout,  dS = P * (dout v^T - rowsum(dout * out)),
///   dq = scale dS k,  dk = scale dS^T q,  dbias = dS, summed over B.
/// Dao et al. (2022), arXiv 2205.14135, without its tiling of the keys. Throws ShapeError.
Var attention(const Var& q, const Var& k, const Var& v, const Var& bias,
              const AttentionOptions& options);

}  // namespace phasor::inline PHASOR_PRECISION
