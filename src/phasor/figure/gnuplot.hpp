// Running gnuplot.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace phasor {

/// The name under which a script of run_gnuplot writes its output number `index`.
std::string gnuplot_output(std::size_t index);

/// Has gnuplot run `script`, without the settings of the user's own, and returns what it wrote to
/// its first `outputs` outputs; they are kept in nameless files in $TMPDIR, or /tmp. Nothing when
/// there is no gnuplot on the path. Throws DataError with gnuplot's words when it fails.
std::optional<std::vector<std::string>> run_gnuplot(const std::string& script, std::size_t outputs);

}  // namespace phasor
