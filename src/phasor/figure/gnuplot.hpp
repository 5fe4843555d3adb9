// Running gnuplot.
#pragma once
#include <string>

namespace phasor {

/// Feeds `script` to gnuplot through a pipe, without the settings of the user's own. False when
/// there is no gnuplot on the path. Throws DataError with gnuplot's words when it fails.
bool run_gnuplot(const std::string& script);

}  // namespace phasor
