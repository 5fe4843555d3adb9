// Figures that answer to a pointer and to keys.
#pragma once
#include <string>
#include <string_view>

#include "phasor/figure/figure.hpp"

namespace phasor {

/// The page of a figure with an interaction: a canvas drawn from the numbers of its first panel, in
/// one file that needs nothing else. `svg` is the drawn figure, which stands there until the script
/// has drawn, and for good without a script; empty when there is none.
std::string interactive_page(const Figure& figure, std::string_view svg);

}  // namespace phasor
