// What libFuzzer calls. $READER names the reader; with $SEEDS, its valid input is written into that
// folder instead.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "tests/attack/fuzz/readers.hpp"

namespace {

using phasor::attack::Reader;

const Reader& chosen() {
  static const Reader& reader = [&]() -> const Reader& {
    const char* name = std::getenv("READER");
    const auto& all = phasor::attack::readers();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Reader& one) {
      return name != nullptr && one.name == name;
    });
    if (found != all.end()) return *found;
    fmt::print(stderr, "READER must name one of:");
    for (const Reader& one : all) fmt::print(stderr, " {}", one.name);
    fmt::print(stderr, "\n");
    std::exit(2);
  }();
  return reader;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("SEEDS");
  if (folder == nullptr) {
    chosen();
    return 0;
  }
  for (const Reader& reader : phasor::attack::readers()) {
    std::size_t number = 0;
    for (const std::string& bytes : reader.valid())
      phasor::write_file(fmt::format("{}/{}/{}", folder, reader.name, ++number), bytes);
    fmt::print("{} {}\n", reader.name, reader.longest);
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  try {
    chosen().read({reinterpret_cast<const char*>(data), size});
  } catch (const phasor::Error&) {  // refused, as it should be
  }
  return 0;
}
