#include "phasor/position/distances.hpp"

#include <algorithm>
#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/ops/embedding.hpp"
#include "phasor/ops/layout.hpp"

namespace phasor::inline PHASOR_PRECISION {
namespace {

bool are_whole(const Positions& positions) {
  return std::all_of(positions.begin(), positions.end(),
                     [](double p) { return std::floor(p) == p && std::abs(p) < 1e9; });
}

/// Whether keys stand one apart and queries are the last of them.
bool are_consecutive(const Context& context) {
  const Positions& keys = context.keys;
  for (std::size_t s = 1; s < keys.size(); ++s)
    if (keys[s] - keys[s - 1] != 1) return false;
  return context.queries.size() <= keys.size() &&
         std::equal(context.queries.rbegin(), context.queries.rend(), keys.rbegin());
}

/// Every whole number from the smallest distance to the largest: nothing needs to be searched.
Distances whole_distances(const Context& context, double least, double most) {
  const std::size_t T = context.queries.size(), S = context.keys.size();
  Distances result{consecutive_positions(static_cast<std::size_t>(most - least) + 1, least),
                   Indices::from_shape({T, S})};
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < S; ++s)
      result.index(t, s) = static_cast<std::int64_t>(context.queries[t] - context.keys[s] - least);
  return result;
}

}  // namespace

Distances distances_of(const Context& context) {
  const std::size_t T = context.queries.size(), S = context.keys.size();
  const auto [first_query, last_query] =
      std::minmax_element(context.queries.begin(), context.queries.end());
  const auto [first_key, last_key] = std::minmax_element(context.keys.begin(), context.keys.end());
  const double least = *first_query - *last_key, most = *last_query - *first_key;
  if (are_whole(context.queries) && are_whole(context.keys) &&
      most - least < 4 * static_cast<double>(T + S))
    return whole_distances(context, least, most);

  Distances result{{}, Indices::from_shape({T, S})};
  for (const double query : context.queries)
    for (const double key : context.keys) result.values.push_back(query - key);
  std::vector<double>& values = result.values;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < S; ++s)
      result.index(t, s) =
          std::lower_bound(values.begin(), values.end(), context.queries[t] - context.keys[s]) -
          values.begin();
  return result;
}

void check_whole(const char* scheme, double rel) {
  check<PositionError>(std::floor(rel) == rel,
                       "[{}] a distance of {:g} has no row: the table has whole distances; choose "
                       "whole positions or a scheme without a table",
                       scheme, rel);
}

Var for_each_sequence(const Var& x, std::size_t batch) {
  return batch == 1 ? x : concatenate(std::vector<Var>(batch, x), 0);
}

Var DistanceBiasScheme::bias(const Context& context) const {
  const Distances distances = distances_of(context);
  const Var values = bias_by_distance(distances.values, context.causal);  // [U, H]
  return transpose(embedding(values, distances.index), {2, 0, 1});
}

std::optional<Var> DistanceBiasScheme::added_bias(const Context& context) const {
  if (!context.causal || !are_consecutive(context)) return bias(context);
  const std::size_t S = context.keys.size();
  std::vector<double> distances(S);
  for (std::size_t i = 0; i < S; ++i) distances[i] = static_cast<double>(S - 1 - i);
  return transpose(bias_by_distance(distances, true), {1, 0});  // [H, S]
}

}  // namespace phasor::inline PHASOR_PRECISION
