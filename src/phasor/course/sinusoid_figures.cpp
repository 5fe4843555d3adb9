#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<FigureEntry> sinusoid_figures() { return {}; }

}  // namespace phasor
