// The distances between queries and keys, each once.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// What depends on rel alone is computed for each distance once, U of them, and then looked up.
struct Distances {
  std::vector<double> values;  // [U], rising
  Indices index;               // [T, S]: values[index[t, s]] = queries[t] - keys[s]
};

/// Of every query from every key. At consecutive positions U is T + S - 1.
Distances distances_of(const Context& context);

/// Throws PositionError unless `rel` is whole, for a scheme whose table has whole distances.
void check_whole(const char* scheme, double rel);

/// The same [1, H, ...] for every sequence: [B, H, ...].
Var for_each_sequence(const Var& x, std::size_t batch);

/// values: [U, H], one row for each distance -> [H, T, S].
Var bias_at(const Var& values, const Distances& distances);

}  // namespace phasor::inline PHASOR_PRECISION
