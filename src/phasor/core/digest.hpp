// A number that tells bytes apart.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace phasor {

/// FNV-1a, 64 bits (Fowler, Noll and Vo). Bytes that differ in one place differ in their digest;
/// with more changes they agree by chance once in 2^64. It protects against accidents, not against
/// someone who wants two texts of one digest.
class Digest {
 public:
  Digest& add(std::string_view bytes);
  std::uint64_t value() const { return value_; }
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace phasor
