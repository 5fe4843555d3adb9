#include "phasor/python/arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace phasor::python {
namespace {

/// Numbers written out in Python, `[[1, 2], [3, 4]]`, say nothing of their dtype: they get the one
/// that is wanted. Whatever has a dtype already keeps it.
bool is_written_out(py::handle source) { return !py::hasattr(source, "dtype"); }

std::string name_of(const py::dtype& type) { return type.attr("name").cast<std::string>(); }

/// 'x', [1, 2]: how Python writes it, when that is not too long.
std::string written(py::handle source) {
  const auto text = py::repr(source).cast<std::string>();
  return text.size() <= 60 ? text : text.substr(0, 60) + "...";
}

/// numpy.asarray(source, ...). Throws TypeError for what is no block of numbers.
template <class... Args>
py::array as_array(py::handle source, const py::dtype& wanted, const Args&... args) {
  try {
    py::array result = py::module_::import("numpy").attr("asarray")(source, args...);
    if (std::string_view("biuf").find(result.dtype().kind()) != std::string_view::npos)
      return result;
  } catch (py::error_already_set& problem) {
    if (!problem.matches(PyExc_ValueError) && !problem.matches(PyExc_TypeError)) throw;
  }
  throw py::type_error(
      fmt::format("an array of {} is wanted, got {}; give numbers, every row as many as the others",
                  name_of(wanted), written(source)));
}

}  // namespace

py::capsule capsule_of(std::unique_ptr<Kept> kept) {
  return py::capsule(kept.release(), kCapsule, [](PyObject* capsule) {
    delete static_cast<Kept*>(PyCapsule_GetPointer(capsule, kCapsule));
  });
}

std::size_t address_of(const py::array& array) {
  const py::object base = array.base();
  if (!base || !PyCapsule_IsValid(base.ptr(), kCapsule))
    throw py::type_error("the array is none that phasor handed over; give such a result itself");
  const auto* kept = static_cast<const Kept*>(PyCapsule_GetPointer(base.ptr(), kCapsule));
  return reinterpret_cast<std::size_t>(kept->address());
}

std::string described(const py::array& array) {
  return fmt::format("{} [{}]", name_of(array.dtype()),
                     fmt::join(array.shape(), array.shape() + array.ndim(), ", "));
}

py::array checked_array(py::handle source, const py::dtype& wanted) {
  const py::array given =
      is_written_out(source) ? as_array(source, wanted, wanted) : as_array(source, wanted);
  if (!given.dtype().equal(wanted))
    throw py::type_error(
        fmt::format("an array of {0} is wanted, got {1}; convert it with .astype(\"{0}\")",
                    name_of(wanted), described(given)));
  // ascontiguousarray makes one axis of none.
  return py::module_::import("numpy").attr("ascontiguousarray")(given).attr("reshape")(
      given.attr("shape"));
}

std::vector<double> numbers(py::handle source) {
  const py::dtype wanted = py::dtype::of<double>();
  py::array given = as_array(source, wanted);
  const char kind = given.dtype().kind();
  if (kind == 'i' || kind == 'u' || given.size() == 0) given = as_array(given, wanted, wanted);
  given = checked_array(given, wanted);
  if (given.ndim() != 1)
    throw py::value_error(
        fmt::format("a list of numbers is wanted, which has one axis, got {}", described(given)));
  const auto* first = static_cast<const double*>(given.data());
  return {first, first + given.size()};
}

template <>
std::size_t plain(py::handle source) {
  if (!PyIndex_Check(source.ptr()) || PyBool_Check(source.ptr()))
    throw py::type_error(fmt::format("a whole number is wanted, got {}", written(source)));
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(source.ptr()));
  const std::size_t value = PyLong_AsSize_t(number.ptr());
  if (PyErr_Occurred() == nullptr) return value;
  PyErr_Clear();
  throw py::value_error(
      fmt::format("a whole number from 0 to 2^64 - 1 is wanted, got {}", written(source)));
}

template <>
double plain(py::handle source) {
  const double value = PyFloat_AsDouble(source.ptr());
  if (PyErr_Occurred() == nullptr) return value;
  PyErr_Clear();
  throw py::type_error(fmt::format("a number is wanted, got {}", written(source)));
}

template <>
std::string plain(py::handle source) {
  if (PyUnicode_Check(source.ptr())) {
    py::ssize_t size = 0;
    if (const char* text = PyUnicode_AsUTF8AndSize(source.ptr(), &size))
      return {text, static_cast<std::size_t>(size)};
    PyErr_Clear();
    throw py::value_error(
        fmt::format("the text {} is not Unicode", py::repr(source).cast<std::string>()));
  }
  throw py::type_error(fmt::format("a text is wanted, got {}", written(source)));
}

py::array handed_over(const Var& var) {
  struct Holder : Kept {
    explicit Holder(Var from) : var(std::move(from)) {}
    const void* address() const override { return var.value().data(); }
    Var var;
  };
  const Shape& shape = var.shape();
  const Real* data = var.value().data();
  return py::array_t<Real>(std::vector<py::ssize_t>(shape.begin(), shape.end()), data,
                           capsule_of(std::make_unique<Holder>(var)));
}

}  // namespace phasor::python
