#include "tests/attack/fuzz/readers.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace phasor::attack {

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all = {
      safetensors_reader(),    npy_reader(),     npy_integers_reader(), run_config_reader(),
      metrics_reader(),        symbols_reader(), grammar_reader(),      text_reader(),
      scheme_options_reader(), message_reader()};
  return all;
}

MemoryFile::MemoryFile()
    : descriptor_(::memfd_create("input", MFD_CLOEXEC)),
      path_(fmt::format("/proc/self/fd/{}", descriptor_)) {
  if (descriptor_ < 0) throw Broken("no file in memory");
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

const std::string& MemoryFile::holding(std::string_view bytes) {
  const auto size = static_cast<off_t>(bytes.size());
  if (::ftruncate(descriptor_, size) != 0 ||
      ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Broken("cannot write to memory");
  return path_;
}

}  // namespace phasor::attack
