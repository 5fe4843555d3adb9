// The claims of lab 09 that are measured on schemes and models; the others are beside them.
#pragma once
#include <vector>

#include "phasor/course/claim.hpp"

namespace phasor {

std::vector<Claim> bias_model_claims();

}  // namespace phasor
