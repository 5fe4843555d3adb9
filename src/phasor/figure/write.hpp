// A figure as files.
#pragma once
#include <filesystem>
#include <string>

#include "phasor/figure/figure.hpp"

namespace phasor {

/// Writes into `folder`, made if it is missing:
///
///   ID.csv   all numbers (csv.hpp says how)
///   ID.json  id, claims_id, title, caption, alt, width and height in pixels, drawn, page
///   ID.svg   the picture, with title and alt text inside
///   ID.png   the picture, two pixels to a point
///   ID.html  the interactive page, if the figure has an interaction
///
/// All of them or none: when something fails, everything is as it was. Equal figures give equal
/// bytes. Without gnuplot on the path no picture is written, the
/// pictures of an earlier run are removed, and the answer is false: say so to whoever waits for it.
/// Throws ConfigError as check_figure() does, DataError when a file cannot be written.
bool write_figure(const Figure& figure, const std::filesystem::path& folder);

/// Throws what write_figure would throw for a figure with this id, as far as it can be known before
/// there is one.
void check_figure_writable(const std::string& id, const std::filesystem::path& folder);

}  // namespace phasor
