// Disentangled attention: content and position meet in both directions.
#pragma once
#include <cstdint>

#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits = (q_i . k_j + q_i . Kr[d(i, j)] + k_j . Qr[d(j, i)]) / sqrt(3D),  Kr = P W_kr, Qr = P
/// W_qr. d(i, j) = rel + N clipped to 0 .. 2N-1, rel = i - j, N the span (distances `exact`,
/// DeBERTa v1), or the same of a bucket of rel (distances `log`, v2): with m = floor(N/2) a rel of
/// at most m is its own bucket, beyond it m + ceil(ln(|rel|/m) / ln((M-1)/m) (m-1)), with rel's
/// sign; M is the max distance, and |rel| counts as at most M - 1, so that all further ones share
/// the row of M - 1. Parameters: table P [2N, C], key.weight W_kr and query.weight W_qr [C, C]. He
/// et al. (2020), arXiv 2006.03654, equations 2 to 4; v2's buckets as in the authors' code
/// (make_log_bucket_position), their borders exact for whole distances (log_steps.hpp).
///
/// The released code looks the last term up before it transposes and so reads Qr[d(i, j)]: p2c
/// `code` does the same, for whoever compares with released weights. The paper shares P among
/// layers and has projections for each; here each layer has all three.
SchemeEntry deberta();

/// Which of the 2N rows of P a distance has: d of the formula above.
struct DebertaRows {
  double span, max_distance;
  bool is_logarithmic;

  std::int64_t of(double rel) const;
};

}  // namespace phasor::inline PHASOR_PRECISION
