#include "phasor/core/rng.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace phasor {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash ^= word;
  return splitmix64(hash);
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t first, std::uint64_t second) {
  std::uint64_t hash = mix(0, seed);
  for (const char c : purpose) hash = mix(hash, static_cast<unsigned char>(c));
  hash = mix(mix(hash, first), second);
  for (auto& word : state_) word = splitmix64(hash);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::uint64_t Rng::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  // Draws under 2^64 mod bound are redrawn; what is left divides evenly.
  const std::uint64_t threshold = -bound % bound;
  for (;;) {
    const Wide product = static_cast<Wide>(next()) * bound;
    if (static_cast<std::uint64_t>(product) >= threshold)
      return static_cast<std::uint64_t>(product >> 64);
  }
}

double Rng::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

}  // namespace phasor
