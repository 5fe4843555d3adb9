#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<Claim> decomposition_claims() { return {}; }

}  // namespace phasor
