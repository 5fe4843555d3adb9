#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<FigureEntry> training_figures() { return {}; }

}  // namespace phasor
