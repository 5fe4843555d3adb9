#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<FigureEntry> decomposition_figures() { return {}; }

}  // namespace phasor
