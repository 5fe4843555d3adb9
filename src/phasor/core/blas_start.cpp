#include "phasor/core/blas_start.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace phasor {
namespace {

#if defined(__has_feature)
#define PHASOR_HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define PHASOR_HAS_ADDRESS_SANITIZER 1
#else
#define PHASOR_HAS_ADDRESS_SANITIZER 0
#endif

constexpr const char* kThreads = "OPENBLAS_NUM_THREADS";
char** arguments = nullptr;  // of main()

void begin_anew(int) {
  const char* threads = std::getenv(kThreads);
  if (threads == nullptr || std::strcmp(threads, "1") != 0) {
    ::setenv(kThreads, "1", 1);
    ::execv("/proc/self/exe", arguments);
  }
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

#if !PHASOR_HAS_ADDRESS_SANITIZER  // its own beginning comes later than this
void before_libraries(int, char** argv, char**) {
  arguments = argv;
  if (std::signal(SIGINT, begin_anew) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

/// The functions in this section run before those with which libraries begin (System V ABI).
[[gnu::section(".preinit_array"), gnu::used]] void (*const first)(int, char**,
                                                                  char**) = before_libraries;
#endif

}  // namespace

void end_blas_start() {
  if (arguments == nullptr) return;
  const auto handler = std::signal(SIGINT, SIG_DFL);
  if (handler != begin_anew) std::signal(SIGINT, handler);
}

}  // namespace phasor
