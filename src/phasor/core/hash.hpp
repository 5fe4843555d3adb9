// A checksum: tells texts apart, protects against nothing that means harm.
#pragma once
#include <cstdint>
#include <string_view>

namespace phasor {

/// FNV-1a with 64 bits.   Source: Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/
constexpr std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace phasor
