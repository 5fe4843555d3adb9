// The gnuplot program that draws a figure.
#pragma once
#include <filesystem>
#include <string>

#include "phasor/figure/figure.hpp"

namespace phasor {

/// A program for gnuplot 5.4 that draws `figure` into both files. It reads nothing but itself, so
/// equal figures give equal files.
std::string gnuplot_script(const Figure& figure, const std::filesystem::path& svg,
                           const std::filesystem::path& png);

}  // namespace phasor
