// The library's errors as Python's.
#pragma once
#include <string>

#include "phasor/python/arrays.hpp"

namespace phasor::python {

/// Adds Error and its kinds to `module`, and has C++ errors come out as them. All that say that an
/// argument is wrong are ValueErrors too; TrainingError and GraphError are RuntimeErrors.
void bind_errors(py::module_& module);

/// The way out of a message in Python's words: "--min-lr" is min_lr, "--resume" is resume=True.
std::string in_python(const std::string& message);

}  // namespace phasor::python
