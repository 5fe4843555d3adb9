#include "phasor/position/random_positions.hpp"

#include <set>

#include "phasor/core/error.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

void check_fits(std::size_t count, std::size_t limit) {
  check<PositionError>(count <= limit,
                       "{} tokens do not fit into {} random positions; keep to a window of {}, or "
                       "train with more --random-positions",
                       count, limit, limit);
}

}  // namespace

Positions random_positions(std::size_t count, std::size_t limit, Rng& rng) {
  check_fits(count, limit);
  // Floyd's way (1987): every set is equally likely after `count` draws.
  std::set<std::uint64_t> chosen;
  for (std::uint64_t last = limit - count; last < limit; ++last) {
    const std::uint64_t drawn = rng.below(last + 1);
    chosen.insert(chosen.contains(drawn) ? last : drawn);
  }
  return Positions(chosen.begin(), chosen.end());
}

Positions spread_positions(std::size_t count, std::size_t limit) {
  check_fits(count, limit);
  Positions positions;
  for (std::size_t i = 0; i < count; ++i)
    positions.push_back(static_cast<double>(i * limit / count));
  return positions;
}

}  // namespace phasor::inline PHASOR_PRECISION
