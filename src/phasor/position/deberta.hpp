// Disentangled attention: content and position meet in both directions.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// logits = (q_i . k_j + q_i . Kr[d(i, j)] + k_j . Qr[d(j, i)]) / sqrt(3D),  Kr = P W_kr, Qr = P
/// W_qr. d(i, j) = rel + N clipped to 0 .. 2N-1, rel = i - j, N the span (distances `exact`,
/// DeBERTa v1), or the same of a bucket of rel (distances `log`, v2): with m = N/2 a rel of at most
/// m is its own bucket, beyond it m + ceil(ln(|rel|/m) / ln((M-1)/m) (m-1)), with rel's sign, M the
/// max distance. Parameters: table P [2N, C], key.weight W_kr and query.weight W_qr [C, C]. He et
/// al. (2020), arXiv 2006.03654, equations 2 to 4; v2's buckets as in the authors' code.
///
/// The released code looks the last term up before it transposes and so reads Qr[d(i, j)]: p2c
/// `code` does the same, for whoever compares with released weights. The paper shares P among
/// layers and has projections for each; here each layer has all three.
SchemeEntry deberta();

}  // namespace phasor::inline PHASOR_PRECISION
