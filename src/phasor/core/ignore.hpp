// What marks a target that does not count.
#pragma once
#include <cstdint>

namespace phasor {

/// Targets with this value count for nothing.
inline constexpr std::int64_t kIgnore = -100;

}  // namespace phasor
