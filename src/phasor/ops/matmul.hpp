// Products of matrices.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

struct MatmulOptions {
  /// Multiply by the transpose of the last two axes of b.
  bool transpose_b = false;
  /// Factor on the product.
  Real scale = 1;
};

/// y = scale * a b.   a: [..., M, K], b: [..., K, N] -> [..., M, N]; the leading axes are equal, or
/// b has none and serves all of a. With transpose_b, b is stored as [..., N, K].
/// da = scale * dy b^T,  db = scale * a^T dy. Throws ShapeError.
Var matmul(const Var& a, const Var& b, MatmulOptions options = {});

/// y = x weight^T + bias.   x: [..., K], weight: [N, K] (as PyTorch stores it), bias: [N] or an
/// empty Var -> [..., N].   dx = dy weight,  dweight = dy^T x,  dbias = sum(dy). Throws ShapeError.
Var linear(const Var& x, const Var& weight, const Var& bias);

}  // namespace phasor::inline PHASOR_PRECISION
