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

/// A scheme whose bias depends on rel alone.
class DistanceBiasScheme : public BiasScheme {
 public:
  /// What each head adds at each distance: [U] -> [U, H].
  virtual Var bias_by_distance(const std::vector<double>& distances, bool causal) const = 0;

  Var bias(const Context& context) const final;
  std::optional<Var> added_bias(const Context& context) const final;
};

}  // namespace phasor::inline PHASOR_PRECISION
