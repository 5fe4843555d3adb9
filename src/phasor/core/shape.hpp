// Extents of an array, row major: the last axis is contiguous.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace phasor {

using Shape = std::vector<std::size_t>;

/// Number of elements: the product of the extents, 1 for a scalar (rank 0).
std::size_t element_count(const Shape& shape);

/// Elements between neighbours along each axis of a row-major array.
std::vector<std::size_t> row_major_strides(const Shape& shape);

/// NumPy's broadcasting rule: axes are aligned at the right, an extent of 1 stretches.
/// Throws ShapeError naming `who` when two extents differ and neither is 1.
Shape broadcast(const Shape& a, const Shape& b, std::string_view who);

}  // namespace phasor
