// Loops over contiguous memory in the processor's vector registers, through xsimd.
#pragma once
#include <algorithm>

#include "phasor/core/real.hpp"
#include "phasor/tensor/xtensor.hpp"

namespace phasor::inline PHASOR_PRECISION::kernel {

using Batch = xsimd::batch<Real>;
inline constexpr std::size_t kLanes = Batch::size;

/// out[i] = f(in[i]), f taking and giving a Batch. `out` may be `in`. The rest that does not fill a
/// register goes through f as well, padded with the last element, so that a value does not depend
/// on where it stands in the array.
template <class F>
void map(const Real* in, Real* out, std::size_t count, F f) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    f(Batch::load_unaligned(in + i)).store_unaligned(out + i);
  if (i == count) return;
  Real rest[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) rest[lane] = in[std::min(i + lane, count - 1)];
  f(Batch::load_unaligned(rest)).store_unaligned(rest);
  std::copy(rest, rest + (count - i), out + i);
}

/// first[i] and second[i] = the pair f(in[i]), like map.
template <class F>
void map_to_two(const Real* in, Real* first, Real* second, std::size_t count, F f) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto [a, b] = f(Batch::load_unaligned(in + i));
    a.store_unaligned(first + i);
    b.store_unaligned(second + i);
  }
  if (i == count) return;
  Real rest_a[kLanes], rest_b[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    rest_a[lane] = in[std::min(i + lane, count - 1)];
  const auto [a, b] = f(Batch::load_unaligned(rest_a));
  a.store_unaligned(rest_a);
  b.store_unaligned(rest_b);
  std::copy(rest_a, rest_a + (count - i), first + i);
  std::copy(rest_b, rest_b + (count - i), second + i);
}

/// out[i] = f(a[i], b[i]), like map.
template <class F>
void map(const Real* a, const Real* b, Real* out, std::size_t count, F f) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    f(Batch::load_unaligned(a + i), Batch::load_unaligned(b + i)).store_unaligned(out + i);
  if (i == count) return;
  Real rest_a[kLanes], rest_b[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    rest_a[lane] = a[std::min(i + lane, count - 1)];
    rest_b[lane] = b[std::min(i + lane, count - 1)];
  }
  f(Batch::load_unaligned(rest_a), Batch::load_unaligned(rest_b)).store_unaligned(rest_a);
  std::copy(rest_a, rest_a + (count - i), out + i);
}

/// Sum over i of f(i-th batch of x), the rest one by one through the scalar `f`.
template <class F>
Real sum_of(const Real* x, std::size_t count, F f) {
  Batch total(Real{0});
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) total += f(Batch::load_unaligned(x + i));
  Real result = sum_of_lanes(total);
  for (; i < count; ++i) result += f(x[i]);
  return result;
}

inline Real sum(const Real* x, std::size_t count) {
  return sum_of(x, count, [](const auto& v) { return v; });
}

/// Sum of x[i] * y[i].
inline Real dot(const Real* x, const Real* y, std::size_t count) {
  Batch total(Real{0});
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    total += Batch::load_unaligned(x + i) * Batch::load_unaligned(y + i);
  Real result = sum_of_lanes(total);
  for (; i < count; ++i) result += x[i] * y[i];
  return result;
}

/// Largest element, count > 0. A NaN may or may not be noticed: callers keep it in the values.
inline Real largest(const Real* x, std::size_t count) {
  if (count < kLanes) return *std::max_element(x, x + count);
  Batch top = Batch::load_unaligned(x);
  for (std::size_t i = kLanes; i + kLanes <= count; i += kLanes)
    top = xsimd::max(top, Batch::load_unaligned(x + i));
  top = xsimd::max(top, Batch::load_unaligned(x + count - kLanes));  // may count some twice
  Real lanes[kLanes];
  top.store_unaligned(lanes);
  return *std::max_element(lanes, lanes + kLanes);
}

}  // namespace phasor::inline PHASOR_PRECISION::kernel
