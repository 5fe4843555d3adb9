#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<FigureEntry> rope_figures() { return {}; }

}  // namespace phasor
