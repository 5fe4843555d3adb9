#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<FigureEntry> product_figures() { return {}; }

}  // namespace phasor
