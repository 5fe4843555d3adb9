// Running gnuplot.
#pragma once
#include <string>

namespace phasor {

/// Has gnuplot run `script`, without the settings of the user's own. False when
/// there is no gnuplot on the path. Throws DataError with gnuplot's words when it fails.
bool run_gnuplot(const std::string& script);

}  // namespace phasor
