#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<FigureEntry> drope_figures() { return {}; }

}  // namespace phasor
