#include "phasor/position/log_steps.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>

namespace phasor::inline PHASOR_PRECISION {
namespace {

constexpr double kRounding = 1e-9;  // more than the logarithms can lose

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

/// Whether a^q = c^p, for p and q without a common divisor and p <= q. Then c must be t^q and a t^p
/// with the same whole t; no number here exceeds c.
bool are_equal_powers(std::uint64_t a, std::uint64_t q, std::uint64_t c, std::uint64_t p) {
  const auto t = static_cast<std::uint64_t>(
      std::llround(std::pow(static_cast<double>(c), 1 / static_cast<double>(q))));
  return power(t, q) == c && power(t, p) == a;
}

/// Whether (x / first)^n = (last / first)^j, for j <= n.
bool is_step(std::uint64_t x, std::uint64_t first, std::uint64_t last, std::uint64_t j,
             std::uint64_t n) {
  const std::uint64_t p = j / std::gcd(j, n), q = n / std::gcd(j, n);
  const std::uint64_t of_x = std::gcd(x, first), of_last = std::gcd(last, first);
  return are_equal_powers(x / of_x, q, last / of_last, p) &&
         are_equal_powers(first / of_x, q, first / of_last, p);
}

/// Whole, and small enough that no rounding of a root is in doubt.
bool is_whole(double value) { return std::floor(value) == value && value <= 1e15; }

}  // namespace

double log_steps(double x, double first, double last, std::size_t n) {
  const double steps = static_cast<double>(n) * std::log(x / first) / std::log(last / first);
  const double nearest = std::round(steps);
  if (std::abs(steps - nearest) > kRounding || !is_whole(x) || !is_whole(first) || !is_whole(last))
    return steps;
  const auto whole = [](double value) { return static_cast<std::uint64_t>(value); };
  return is_step(whole(x), whole(first), whole(last), whole(nearest), n) ? nearest : steps;
}

}  // namespace phasor::inline PHASOR_PRECISION
