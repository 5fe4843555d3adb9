// Keyword arguments as options of a scheme.
#pragma once
#include "phasor/position/options.hpp"
#include "phasor/python/arrays.hpp"

namespace phasor::python {

/// base=500, pairing="half" -> "base": "500", "pairing": "half". Throws TypeError on a value that
/// is neither a number nor a text.
OptionValues options_of(const py::dict& given);

}  // namespace phasor::python
