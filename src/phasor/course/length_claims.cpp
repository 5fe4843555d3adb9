#include "phasor/course/topics.hpp"

namespace phasor {

std::vector<Claim> length_claims() { return {}; }

}  // namespace phasor
