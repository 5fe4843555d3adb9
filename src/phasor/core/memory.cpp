#include "phasor/core/memory.hpp"

#include <malloc.h>

namespace phasor {

void keep_freed_memory() {
  static const bool done = [] {
    // The largest size that malloc does not fetch from the kernel each time anew (glibc's limit),
    // and no end to what is kept.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    // Small pieces are joined when they are freed, not all at once whenever a large one is.
    mallopt(M_MXFAST, 0);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace phasor
