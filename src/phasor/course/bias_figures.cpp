#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<FigureEntry> bias_figures() { return {}; }

}  // namespace phasor
