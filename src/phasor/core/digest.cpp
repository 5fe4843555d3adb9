#include "phasor/core/digest.hpp"

#include <fmt/format.h>

namespace phasor {

Digest& Digest::add(std::string_view bytes) {
  for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return *this;
}

std::string Digest::text() const { return fmt::format("{:016x}", value_); }

}  // namespace phasor
