// Seeded random numbers that are the same on every platform and at every thread count.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace phasor {

/// xoshiro256++ (Blackman and Vigna, 2021), its state filled by splitmix64.
///
/// A stream is named by (seed, purpose, index, index): the batch of step 12 is always
/// Rng(seed, "batch", 12), whatever was drawn before it. So a resumed run needs no saved
/// generator, and two threads never share one.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::string_view purpose = "", std::uint64_t first = 0,
               std::uint64_t second = 0);

  /// 64 random bits.
  std::uint64_t next();
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Uniform integer in [0, bound), without bias (Lemire, 2019). `bound` must be positive.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal, Box and Muller.
  double normal();

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace phasor
