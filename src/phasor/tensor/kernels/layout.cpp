#include "phasor/tensor/kernels/layout.hpp"

#include "phasor/tensor/kernels/vector.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

Tensor permute(const Tensor& x, const std::vector<std::size_t>& axes) {
  const Shape from = shape_of(x);
  const auto source = row_major_strides(from);
  Shape shape;
  std::vector<std::size_t> strides;
  for (const std::size_t axis : axes) {
    shape.push_back(from[axis]);
    strides.push_back(source[axis]);
  }
  Tensor result = empty(shape);
  if (shape.empty()) return x;

  const std::size_t row = shape.back(), step = strides.back();
  std::vector<std::size_t> index(shape.size(), 0);
  std::size_t offset = 0;
  Real* out = result.data();
  for (std::size_t done = 0; done < result.size(); done += row, out += row) {
    const Real* in = x.data() + offset;
    if (step == 1)
      std::copy(in, in + row, out);
    else
      for (std::size_t i = 0; i < row; ++i) out[i] = in[i * step];
    for (std::size_t axis = shape.size() - 1; axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < shape[axis]) break;
      offset -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return result;
}

Tensor swap_middle(const Tensor& x, const Shape& seen_as, const Shape& result) {
  const std::size_t X = seen_as[1], Y = seen_as[2], D = seen_as[3];
  Tensor y = empty(result);
  const Real* in = x.data();
  for (std::size_t b = 0; b < seen_as[0]; ++b)
    for (std::size_t i = 0; i < X; ++i)
      for (std::size_t j = 0; j < Y; ++j, in += D) {
        Real* out = y.data() + ((b * Y + j) * X + i) * D;
        // Register by register: a head is so narrow that a call of memmove would cost as much.
        std::size_t d = 0;
        for (; d + kLanes <= D; d += kLanes) Batch::load_unaligned(in + d).store_unaligned(out + d);
        for (; d < D; ++d) out[d] = in[d];
      }
  return y;
}

AroundAxis around(const Shape& shape, std::size_t axis) {
  const auto at = shape.begin() + static_cast<std::ptrdiff_t>(axis);
  return {element_count({shape.begin(), at}), shape[axis], element_count({at + 1, shape.end()})};
}

}  // namespace phasor::inline PHASOR_PRECISION::kernel
