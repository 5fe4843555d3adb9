// Copies that move elements without changing them.
#pragma once
#include "phasor/tensor/tensor.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

/// Axis i of the result is axis axes[i] of x.
Tensor permute(const Tensor& x, const std::vector<std::size_t>& axes);

/// x, seen as [B, X, Y, D], with X and Y exchanged and as a tensor of shape `result`.
Tensor swap_middle(const Tensor& x, const Shape& seen_as, const Shape& result);

/// An array seen as [outer, axis, inner] around one axis: the form in which slicing and joining
/// along that axis are copies of contiguous blocks.
struct AroundAxis {
  std::size_t outer, extent, inner;
};
AroundAxis around(const Shape& shape, std::size_t axis);

}  // namespace phasor::inline PHASOR_PRECISION::kernel
