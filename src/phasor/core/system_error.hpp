// What the operating system refused, in words.
#pragma once
#include <string>

namespace phasor {

/// "No space left on device; free some space or choose another place": what `error` (errno) means,
/// and the way out that fits it.
std::string reason_and_way_out(int error);

}  // namespace phasor
