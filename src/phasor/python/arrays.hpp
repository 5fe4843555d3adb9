// NumPy arrays and the library's own, both ways. What the library computes is handed over without a
// copy: the array that Python sees lies where it was computed, and keeps it alive.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstring>

#include "phasor/autograd/var.hpp"

namespace phasor::python {

namespace py = pybind11;

/// Handed to the capsule of every array, so that `address_of` knows its own.
inline constexpr const char* kCapsule = "phasor.array";

/// What keeps an array's memory alive, and where that memory is.
struct Kept {
  virtual ~Kept() = default;
  virtual const void* address() const = 0;
};

/// A capsule that owns `kept`.
py::capsule capsule_of(std::unique_ptr<Kept> kept);

/// Where the library has the numbers of an array that it handed over: the same address as NumPy's.
/// Throws TypeError for an array of another origin.
std::size_t address_of(const py::array& array);

/// "float64 [3, 4]".
std::string described(const py::array& array);

/// `source` as an array of `wanted`, row major. Nested lists of numbers are converted; an array of
/// another kind is a TypeError that names both, never a silent conversion.
py::array checked_array(py::handle source, const py::dtype& wanted);

/// Numbers with one axis: a list, a range, or an array of float64 or of integers, which lose
/// nothing. Throws TypeError, ValueError.
std::vector<double> numbers(py::handle source);

/// A std::size_t from a whole number from 0 on, a double from a number, a std::string from a text.
/// Throws TypeError, ValueError for a negative number.
template <class T>
T plain(py::handle source);
template <>
std::size_t plain(py::handle source);
template <>
double plain(py::handle source);
template <>
std::string plain(py::handle source);

/// Hands `values` over: [..] -> an array over the same memory.
template <class Array>
requires(!std::is_lvalue_reference_v<Array>) py::array handed_over(Array&& values) {
  using Owned = std::remove_cvref_t<Array>;
  using T = typename Owned::value_type;
  struct Holder : Kept {
    explicit Holder(Owned&& from) : values(std::move(from)) {}
    const void* address() const override { return values.data(); }
    Owned values;
  };
  auto holder = std::make_unique<Holder>(std::move(values));
  T* data = holder->values.data();
  std::vector<py::ssize_t> shape;
  if constexpr (requires { holder->values.shape(); })
    shape.assign(holder->values.shape().begin(), holder->values.shape().end());
  else
    shape.push_back(static_cast<py::ssize_t>(holder->values.size()));
  return py::array_t<T>(shape, data, capsule_of(std::move(holder)));
}

/// The value of a result of the library: no copy, its node is kept alive instead.
py::array handed_over(const Var& var);

}  // namespace phasor::python

namespace pybind11::detail {

/// Arrays of double, float and std::int64_t as they are; copied in, handed over on the way out.
template <class T, class Allocator>
struct type_caster<xt::xarray<T, xt::layout_type::row_major, Allocator>> {
  using Type = xt::xarray<T, xt::layout_type::row_major, Allocator>;
  PYBIND11_TYPE_CASTER(Type, const_name("numpy.ndarray[") + npy_format_descriptor<T>::name +
                                 const_name("]"));

  bool load(handle source, bool) {
    const array given = phasor::python::checked_array(source, dtype::of<T>());
    std::vector<std::size_t> shape(given.shape(), given.shape() + given.ndim());
    value = Type::from_shape(shape);
    if (value.size() > 0) std::memcpy(value.data(), given.data(), value.size() * sizeof(T));
    return true;
  }
  static handle cast(Type&& values, return_value_policy, handle) {
    return phasor::python::handed_over(std::move(values)).release();
  }
  static handle cast(const Type& values, return_value_policy, handle) {
    return phasor::python::handed_over(Type(values)).release();
  }
};

/// As signatures call it.
template <class T>
constexpr auto plain_name() {
  if constexpr (std::is_same_v<T, std::size_t>)
    return const_name("int");
  else if constexpr (std::is_same_v<T, double>)
    return const_name("float");
  else
    return const_name("str");
}

/// One number or text of the kind that is wanted: pybind's own message for another one lists
/// signatures, which says nothing to a learner.
template <class T>
struct plain_caster {
  PYBIND11_TYPE_CASTER(T, plain_name<T>());

  bool load(handle source, bool) {
    value = phasor::python::plain<T>(source);
    return true;
  }
  static handle cast(const T& given, return_value_policy, handle) {
    if constexpr (std::is_same_v<T, std::size_t>) return PyLong_FromSize_t(given);
    if constexpr (std::is_same_v<T, double>) return PyFloat_FromDouble(given);
    if constexpr (std::is_same_v<T, std::string>)
      return PyUnicode_FromStringAndSize(given.data(), static_cast<ssize_t>(given.size()));
  }
};
template <>
struct type_caster<std::size_t> : plain_caster<std::size_t> {};
template <>
struct type_caster<double> : plain_caster<double> {};
template <>
struct type_caster<std::string> : plain_caster<std::string> {};

/// Lists of numbers: any sequence comes in, an array goes out.
template <>
struct type_caster<std::vector<double>> {
  PYBIND11_TYPE_CASTER(std::vector<double>, const_name("numpy.ndarray[numpy.float64]"));

  bool load(handle source, bool) {
    value = phasor::python::numbers(source);
    return true;
  }
  static handle cast(std::vector<double> values, return_value_policy, handle) {
    return phasor::python::handed_over(std::move(values)).release();
  }
};

template <>
struct type_caster<phasor::Var> {
  PYBIND11_TYPE_CASTER(phasor::Var, const_name("numpy.ndarray[numpy.float32]"));
  bool load(handle, bool) { return false; }
  static handle cast(const phasor::Var& var, return_value_policy, handle) {
    return phasor::python::handed_over(var).release();
  }
};

}  // namespace pybind11::detail
