// The compiled part of the Python module. What users import is in phasor/*.py beside this file.
#include "phasor/python/bindings.hpp"
#include "phasor/python/errors.hpp"
#include "phasor/tensor/gemm.hpp"

PYBIND11_MODULE(_engine, module) {
  namespace py = pybind11;
  module.doc() = "Phasor's library: schemes, analysis, models, training, claims and figures.";
  phasor::python::bind_errors(module);
  phasor::python::bind_schemes(module);
  phasor::python::bind_own_schemes(module);
  py::module_ analysis = module.def_submodule("analysis", "The mathematics of encodings.");
  phasor::python::bind_analysis(analysis);
  phasor::python::bind_shift(analysis);
  phasor::python::bind_attention(analysis);
  phasor::python::bind_models(module);
  phasor::python::bind_training(module);
  phasor::python::bind_course(module);
  module.def("address_of", phasor::python::address_of, py::arg("array"),
             "Where the library holds the numbers of an array that it handed over. It is the same\n"
             "address as NumPy's, array.ctypes.data: nothing was copied.");
  // One thread a product, as in the command: the library's own threads share out the work.
  phasor::use_single_threaded_blas();
}
