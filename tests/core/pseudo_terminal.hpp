// A terminal for tests of what is written to one.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

namespace phasor {

/// Two descriptors: what a program writes to `theirs` can be read from `ours`.
struct PseudoTerminal {
  int ours, theirs;
};

/// Empty where there are none, as in a bare chroot.
inline std::optional<PseudoTerminal> pseudo_terminal() {
  const int ours = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ours < 0) return std::nullopt;
  const char* name = ::grantpt(ours) == 0 && ::unlockpt(ours) == 0 ? ::ptsname(ours) : nullptr;
  const int theirs = name ? ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  if (theirs >= 0) return PseudoTerminal{ours, theirs};
  ::close(ours);
  return std::nullopt;
}

}  // namespace phasor
