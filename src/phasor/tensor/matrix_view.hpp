// How a product is told where a matrix lies.
#pragma once
#include <cstddef>

#include "phasor/core/real.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// A matrix inside row-major memory. `stride` is the distance between rows, so a head can be read
/// out of a wider array without a copy; `transposed` multiplies by the transpose of what is stored.
struct MatrixView {
  const Real* data;
  std::size_t stride;
  bool transposed = false;
};

}  // namespace phasor::inline PHASOR_PRECISION
