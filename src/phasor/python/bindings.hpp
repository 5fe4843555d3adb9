// What the module is put together from; each function adds one part of it.
#pragma once
#include "phasor/python/arrays.hpp"

namespace phasor::python {

void bind_schemes(py::module_& module);
void bind_own_schemes(py::module_& module);
void bind_analysis(py::module_& module);
void bind_shift(py::module_& module);
void bind_attention(py::module_& module);
void bind_models(py::module_& module);
void bind_training(py::module_& module);
void bind_course(py::module_& module);

/// What `compute` gives, while other Python threads may run. For everything that takes a while, and
/// for everything that may call a scheme written in Python from a thread of the library's own.
template <class Compute>
auto without_lock(const Compute& compute) {
  const py::gil_scoped_release released;
  return compute();
}

/// Stands at every binding of a function that takes and gives plain values.
using Unlocked = py::call_guard<py::gil_scoped_release>;

}  // namespace phasor::python
