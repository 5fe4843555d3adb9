// The colours of the figures, all readable with every common kind of colour vision.
#pragma once
#include <string>
#include <vector>

#include "phasor/figure/figure.hpp"

namespace phasor {

/// Okabe and Ito (2008) without the yellow, which is too pale on white: "#0072B2" first.
const std::vector<std::string>& line_colours();

/// The stops of a palette from its lowest to its highest value: viridis (Smith and van der Walt,
/// 2015) or the blue-red of ColorBrewer (RdBu reversed), eleven of each.
const std::vector<std::string>& stops(Palette palette);

/// The colour at `share` (0 lowest, 1 highest) of a palette, between its stops: "#rrggbb".
std::string colour_at(Palette palette, double share);

/// "#ffffff" or "#000000", whichever is easier to read on `colour`.
std::string ink_on(const std::string& colour);

}  // namespace phasor
