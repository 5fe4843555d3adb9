#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<Claim> drope_claims() { return {}; }

}  // namespace phasor
