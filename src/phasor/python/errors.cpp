#include "phasor/python/errors.hpp"

#include <algorithm>
#include <map>
#include <regex>

#include "phasor/core/error.hpp"
#include "phasor/core/text.hpp"

namespace phasor::python {
namespace {

/// What each kind of Error is in Python. Kept for as long as the program runs: a C++ error may come
/// as late as that.
std::map<std::string, PyObject*>& kinds() {
  static std::map<std::string, PyObject*> kinds;
  return kinds;
}

void add_kind(py::module_& module, const std::string& name, const py::tuple& bases,
              const char* doc) {
  PyObject* kind = PyErr_NewExceptionWithDoc(("phasor." + name).c_str(), doc, bases.ptr(), nullptr);
  if (kind == nullptr) throw py::error_already_set();
  kinds()[name] = kind;
  module.add_object(name.c_str(), py::reinterpret_borrow<py::object>(kind));
}

PyObject* kind_of(const Error& error) {
  const char* name = "Error";
  if (dynamic_cast<const ShapeError*>(&error)) name = "ShapeError";
  if (dynamic_cast<const ConfigError*>(&error)) name = "ConfigError";
  if (dynamic_cast<const PositionError*>(&error)) name = "PositionError";
  if (dynamic_cast<const DataError*>(&error)) name = "DataError";
  if (dynamic_cast<const CheckpointError*>(&error)) name = "CheckpointError";
  if (dynamic_cast<const TrainingError*>(&error)) name = "TrainingError";
  if (dynamic_cast<const GraphError*>(&error)) name = "GraphError";
  return kinds()[name];
}

}  // namespace

std::string in_python(const std::string& message) {
  static const std::regex option("--([a-z][a-z-]*)");
  std::string result;
  auto end = message.cbegin();
  for (std::sregex_iterator match(message.begin(), message.end(), option), last; match != last;
       ++match) {
    result.append(end, (*match)[0].first);
    std::string name = (*match)[1];
    std::replace(name.begin(), name.end(), '-', '_');
    result += name == "resume" || name == "overwrite" ? name + "=True" : name;
    end = (*match)[0].second;
  }
  return result.append(end, message.cend());
}

void bind_errors(py::module_& module) {
  const py::object value_error = py::reinterpret_borrow<py::object>(PyExc_ValueError);
  const py::object runtime_error = py::reinterpret_borrow<py::object>(PyExc_RuntimeError);
  add_kind(module, "Error", py::make_tuple(py::reinterpret_borrow<py::object>(PyExc_Exception)),
           "Base of every error that phasor raises on purpose.");
  const py::object base = module.attr("Error");
  const py::tuple wrong_argument = py::make_tuple(base, value_error);
  add_kind(module, "ShapeError", wrong_argument, "Extents or ranks that do not fit together.");
  add_kind(module, "ConfigError", wrong_argument, "An option, or options together, without sense.");
  add_kind(module, "PositionError", wrong_argument,
           "A position that a scheme has no encoding for.");
  add_kind(module, "DataError", wrong_argument,
           "Text or arrays missing, empty or of a wrong kind.");
  add_kind(module, "CheckpointError", wrong_argument,
           "A run missing, damaged or of another model.");
  const py::tuple wrong_course = py::make_tuple(base, runtime_error);
  add_kind(module, "TrainingError", wrong_course, "Training that cannot go on.");
  add_kind(module, "GraphError", wrong_course, "A graph used against its rules.");
  py::register_exception_translator([](std::exception_ptr problem) {
    try {
      if (problem) std::rethrow_exception(problem);
    } catch (const Error& error) {
      PyErr_SetString(kind_of(error), in_python(one_line(error.what())).c_str());
    }
  });
}

}  // namespace phasor::python
