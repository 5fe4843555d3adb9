// The numbers of a figure as a table.
#pragma once
#include <string>

#include "phasor/figure/figure.hpp"

namespace phasor {

/// All data of a figure in one long table, one drawn number a row:
///
///   panel,kind,name,x,row,value,low,high
///
///   panel  number of the panel, from 1, row by row
///   kind   line, reference, cell, hand, bar, entry (of a table), node or arrow (of a graph)
///   name   the curve's label, the reference line's label, the dial's label, the bar's group, the
///          title of the entry's column or the node's label; otherwise empty
///   x      line: where on the x axis; cell: number of the column on its axis; hand: which hand;
///          bar: category; entry and node: number of the column, from 0; arrow: number of the node
///          it leaves
///   row    cell: number of the row on its axis; entry: number of the row, from 0; node: its
///   number,
///          from 0; arrow: number of the node it reaches; otherwise empty
///   value  the number drawn; for a hand its angle in radians, from twelve o'clock, clockwise; for
///          an entry its number in full, or its text; for a node or an arrow the text beside it
///   low, high   line: the ends of the band, if it has one; otherwise empty
///
/// Numbers have as many digits as it takes to read back the same double; NaN is written nan.
/// Commas, quotes and line ends in names are quoted as RFC 4180 says.
std::string to_csv(const Figure& figure);

}  // namespace phasor
