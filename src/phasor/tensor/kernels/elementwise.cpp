#include "phasor/tensor/kernels/elementwise.hpp"

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {
namespace {

/// Steps through an array of `shape` row by row (a row is the last axis) while keeping the offset
/// into an array that broadcasts to it. Offsets along stretched axes stand still.
class BroadcastRows {
 public:
  BroadcastRows(const Shape& from, const Shape& shape)
      : shape_(shape), index_(shape.size(), 0), strides_(shape.size(), 0) {
    const auto source = row_major_strides(from);
    for (std::size_t back = 1; back <= from.size(); ++back)
      if (from[from.size() - back] != 1) strides_[shape.size() - back] = source[from.size() - back];
  }

  std::size_t offset() const { return offset_; }
  /// Elements between neighbours along the last axis: 1, or 0 where it is stretched.
  std::size_t step() const { return strides_.empty() ? 0 : strides_.back(); }

  void next_row() {
    for (std::size_t axis = shape_.size() - (shape_.empty() ? 0 : 1); axis-- > 0;) {
      offset_ += strides_[axis];
      if (++index_[axis] < shape_[axis]) return;
      offset_ -= strides_[axis] * shape_[axis];
      index_[axis] = 0;
    }
  }

 private:
  Shape shape_;
  std::vector<std::size_t> index_, strides_;
  std::size_t offset_ = 0;
};

template <class F>
Tensor binary(const Tensor& a, const Tensor& b, const char* who, F f) {
  const Shape shape_a = shape_of(a), shape_b = shape_of(b);
  if (shape_a == shape_b) {
    Tensor result = empty(shape_a);
    const Real *x = a.data(), *y = b.data();
    Real* out = result.data();
    for (std::size_t i = 0; i < result.size(); ++i) out[i] = f(x[i], y[i]);
    return result;
  }
  const Shape shape = broadcast(shape_a, shape_b, who);
  Tensor result = empty(shape);
  const std::size_t row = shape.empty() ? 1 : shape.back();
  BroadcastRows rows_a(shape_a, shape), rows_b(shape_b, shape);
  Real* out = result.data();
  for (std::size_t done = 0; done < result.size(); done += row, out += row) {
    const Real *x = a.data() + rows_a.offset(), *y = b.data() + rows_b.offset();
    // The step is a constant in each branch, so that the compiler can vectorise the row.
    if (rows_a.step() == 1 && rows_b.step() == 1)
      for (std::size_t i = 0; i < row; ++i) out[i] = f(x[i], y[i]);
    else if (rows_b.step() == 1)
      for (std::size_t i = 0; i < row; ++i) out[i] = f(x[0], y[i]);
    else if (rows_a.step() == 1)
      for (std::size_t i = 0; i < row; ++i) out[i] = f(x[i], y[0]);
    else
      for (std::size_t i = 0; i < row; ++i) out[i] = f(x[0], y[0]);
    rows_a.next_row();
    rows_b.next_row();
  }
  return result;
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  return binary(a, b, "add", [](Real x, Real y) { return x + y; });
}
Tensor subtract(const Tensor& a, const Tensor& b) {
  return binary(a, b, "sub", [](Real x, Real y) { return x - y; });
}
Tensor multiply(const Tensor& a, const Tensor& b) {
  return binary(a, b, "mul", [](Real x, Real y) { return x * y; });
}

Tensor scale(const Tensor& x, Real factor) {
  Tensor result = empty(shape_of(x));
  for (std::size_t i = 0; i < x.size(); ++i) result.data()[i] = factor * x.data()[i];
  return result;
}

void add_to(Tensor& target, const Tensor& addend) {
  check(shape_of(target) == shape_of(addend), "[gradient] shapes {} and {} must be equal",
        shape_of(target), shape_of(addend));
  Real* out = target.data();
  const Real* in = addend.data();
  for (std::size_t i = 0; i < target.size(); ++i) out[i] += in[i];
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  const Shape wide = shape_of(x);
  if (wide == shape) return x;
  Tensor result = zeros(shape);
  const std::size_t row = wide.empty() ? 1 : wide.back();
  BroadcastRows rows(shape, wide);
  const Real* in = x.data();
  for (std::size_t done = 0; done < x.size(); done += row, in += row) {
    Real* out = result.data() + rows.offset();
    if (rows.step() == 1) {
      for (std::size_t i = 0; i < row; ++i) out[i] += in[i];
    } else {
      Real total = 0;
      for (std::size_t i = 0; i < row; ++i) total += in[i];
      out[0] += total;
    }
    rows.next_row();
  }
  return result;
}

Tensor expand_to(const Tensor& x, const Shape& shape) {
  return binary(x, empty(shape), "expand", [](Real value, Real) { return value; });
}

}  // namespace phasor::inline PHASOR_PRECISION::kernel
