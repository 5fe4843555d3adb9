// Schemes written in Python.
#include <map>
#include <mutex>

#include "phasor/model/check_scheme.hpp"
#include "phasor/position/plain_scheme.hpp"
#include "phasor/python/bindings.hpp"
#include "phasor/python/options.hpp"

namespace phasor::python {
namespace {

using namespace pybind11::literals;
using Numbers = PlainFunctions::Numbers;

/// A Python function that any thread may call and drop: each takes the interpreter's lock first.
class Shared {
 public:
  explicit Shared(py::object function)
      : function_(new py::object(std::move(function)), [](py::object* held) {
          if (!Py_IsInitialized())
            return;  // at the end of the program there is nothing to give back
          const py::gil_scoped_acquire locked;
          delete held;
        }) {}
  explicit operator bool() const { return !function_->is_none(); }

  template <class Result, class... Args>
  Result call(const Args&... args) const {
    const py::gil_scoped_acquire locked;
    return (*function_)(args...).template cast<Result>();
  }

 private:
  std::shared_ptr<py::object> function_;
};

/// What a Python function gave for a head and a distance, while the parameters stay what they are:
/// the shards and layers of a training step all ask for the same, and every call is slow.
template <class Result>
class Remembered {
 public:
  template <class Compute>
  Result operator()(const Numbers& parameters, std::size_t head, double distance,
                    const Compute& compute) {
    const std::pair key(head, distance);
    {
      const std::scoped_lock lock(mutex_);
      if (shape_of(parameters) != shape_of(parameters_) || parameters != parameters_) {
        parameters_ = parameters;
        results_.clear();
      }
      if (const auto known = results_.find(key); known != results_.end()) return known->second;
    }
    Result result = compute();  // other threads may ask meanwhile; each gets the same answer
    const std::scoped_lock lock(mutex_);
    if (parameters == parameters_) results_.insert_or_assign(key, result);
    return result;
  }

 private:
  std::mutex mutex_;
  Numbers parameters_;
  std::map<std::pair<std::size_t, double>, Result> results_;
};

void add(const std::string& name, const std::string& summary, py::object bias,
         py::object parameters, py::object bias_slopes, py::object angle, bool is_relative) {
  const Shared biases(std::move(bias)), first(std::move(parameters)),
      slopes(std::move(bias_slopes)), angles(std::move(angle));
  if (first && !(slopes && biases))
    throw py::type_error(
        "parameters need bias(parameters, head, distance) and bias_slopes(parameters, head, "
        "distance), its derivative by each parameter of the head");
  PlainFunctions functions;
  functions.parameters = [first](std::size_t heads) {
    return first ? first.call<Numbers>(heads) : Numbers::from_shape({heads, 0});
  };
  functions.bias = [biases, has_parameters = bool(first),
                    known = std::make_shared<Remembered<double>>()](
                       const Numbers& values, std::size_t head, double distance) {
    if (!biases) return 0.0;
    return (*known)(values, head, distance, [&] {
      return has_parameters ? biases.call<double>(values, head, distance)
                            : biases.call<double>(head, distance);
    });
  };
  functions.bias_slopes = [slopes, known = std::make_shared<Remembered<Numbers>>()](
                              const Numbers& values, std::size_t head, double distance) {
    return (*known)(values, head, distance,
                    [&] { return slopes.call<Numbers>(values, head, distance); });
  };
  functions.angle = [angles](std::size_t pair, std::size_t pairs, double position) {
    return angles ? angles.call<double>(pair, pairs, position) : 0.0;
  };
  functions.is_relative = is_relative;
  add_scheme(plain_scheme(name, summary, functions));
}

py::list checks(const std::string& name, const py::kwargs& options) {
  const OptionValues values = options_of(options);
  py::list rows;
  for (const SchemeCheck& check : without_lock([&] { return check_scheme(name, values); }))
    rows.append(py::dict("what"_a = check.what, "measured"_a = check.measured,
                         "tolerance"_a = check.tolerance, "passed"_a = check.passed(),
                         "problem"_a = check.problem));
  return rows;
}

}  // namespace

void bind_own_schemes(py::module_& module) {
  module.def(
      "add_scheme", add, "name"_a, "summary"_a = "a scheme of one's own", py::kw_only(),
      "bias"_a = py::none(), "parameters"_a = py::none(), "bias_slopes"_a = py::none(),
      "angle"_a = py::none(), "is_relative"_a = true,
      "Adds a scheme made of Python functions, to be used by its name from then on:\n\n"
      "    logit(m, n) = R(m) q . R(n) k / sqrt(D) + bias(head, m - n)\n\n"
      "bias(head, distance): added to the logit of a key `distance` >= 0 positions back.\n"
      "angle(pair, pairs, position): radians by which a pair of columns is turned, R above;\n"
      "    is_relative=False unless it grows in proportion to the position.\n"
      "parameters(heads): what training may change, as it is at first, [heads, N] float64. With\n"
      "    it, bias(parameters, head, distance) is given these numbers, and its derivative by "
      "each\n"
      "    of the head's is bias_slopes(parameters, head, distance), [N].\n\n"
      "The functions must give the same for the same arguments: they are asked once.\n"
      "Raises ConfigError when the name is taken. phasor.check_scheme(name) proves it.");
  module.def("remove_scheme", remove_scheme, "name"_a, "Takes a scheme out of the table again.");
  module.def(
      "check_scheme", checks, "name"_a,
      "What every scheme has to hold to, checked in a small model: a row for each property,\n"
      "with what was measured and the tolerance.");
}

}  // namespace phasor::python
