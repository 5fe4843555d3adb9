#include "phasor/python/options.hpp"

#include <fmt/format.h>

namespace phasor::python {

OptionValues options_of(const py::dict& given) {
  OptionValues options;
  for (const auto& [name, value] : given) {
    const bool is_number = PyNumber_Check(value.ptr()) && !PyBool_Check(value.ptr());
    if (!is_number && !py::isinstance<py::str>(value))
      throw py::type_error(fmt::format("the option {} must be a number or a text, got {}",
                                       py::str(name).cast<std::string>(),
                                       py::repr(value).cast<std::string>()));
    options[name.cast<std::string>()] = py::str(value).cast<std::string>();
  }
  return options;
}

}  // namespace phasor::python
