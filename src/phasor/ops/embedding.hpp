// Rows of a table chosen by number.
#pragma once
#include "phasor/autograd/backward.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// y[...] = table[rows[...]].   table: [V, C], rows: [...] in [0, V) -> [..., C].
/// dtable[row] = sum of dy over the places that chose the row. Throws ShapeError, and DataError on
/// a row outside the table.
Var embedding(const Var& table, const Indices& rows);

}  // namespace phasor::inline PHASOR_PRECISION
