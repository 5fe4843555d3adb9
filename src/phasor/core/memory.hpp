// How the process holds on to memory.
#pragma once

namespace phasor {

/// From now on freed memory stays with the process. A training step asks for the same buffers as
/// the one before; pages that had been given back to the kernel in between would have to be fetched
/// and cleared again, which costs more than filling them. Done once, whatever the number of calls.
void keep_freed_memory();

}  // namespace phasor
