#include "phasor/core/shape.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "phasor/core/error.hpp"

namespace phasor {

std::size_t element_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<std::size_t> row_major_strides(const Shape& shape) {
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis > 1; --axis)
    strides[axis - 2] = strides[axis - 1] * shape[axis - 1];
  return strides;
}

Shape broadcast(const Shape& a, const Shape& b, std::string_view who) {
  Shape result(std::max(a.size(), b.size()));
  for (std::size_t back = 1; back <= result.size(); ++back) {
    const std::size_t x = back <= a.size() ? a[a.size() - back] : 1;
    const std::size_t y = back <= b.size() ? b[b.size() - back] : 1;
    check(x == y || x == 1 || y == 1,
          "[{}] shapes {} and {} do not broadcast: {} against {} at axis -{}; make them equal or 1",
          who, a, b, x, y, back);
    result[result.size() - back] = x == 1 ? y : x;
  }
  return result;
}

}  // namespace phasor
