#include "phasor/core/memory.hpp"

#include <malloc.h>

namespace phasor {

void keep_freed_memory() {
  // The largest size that malloc does not fetch from the kernel each time anew (glibc's own limit),
  // and no end to what is kept.
  static const bool done =
      mallopt(M_MMAP_THRESHOLD, 32 << 20) != 0 && mallopt(M_TRIM_THRESHOLD, 1 << 30) != 0;
  static_cast<void>(done);
}

}  // namespace phasor
