// A scheme made of plain functions of numbers, for those who try an idea of their own.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// What a scheme does to one pair of columns and to one distance. All numbers are double.
///   logit(query, key) = R(query) q . R(key) k / sqrt(D) + bias(parameters, head, query - key)
/// where R(p) turns the columns (2c, 2c + 1) of a head by the angle of pair c at position p.
struct PlainFunctions {
  using Numbers = xt::xarray<double>;

  /// What training may change, as it is at first, a row for each head: [heads, N], N may be 0.
  std::function<Numbers(std::size_t heads)> parameters;
  /// Added to the logit of a key `distance` >= 0 positions before its query.
  std::function<double(const Numbers& parameters, std::size_t head, double distance)> bias;
  /// d bias / d parameters(head, i): [N].
  std::function<Numbers(const Numbers& parameters, std::size_t head, double distance)> bias_slopes;
  /// Radians by which pair `pair` of `pairs` is turned at `position`.
  std::function<double(std::size_t pair, std::size_t pairs, double position)> angle;
  /// Whether a common shift of all positions changes nothing: true when angles grow in proportion
  /// to the position.
  bool is_relative = true;
};

/// The functions as a scheme of the kind "own", one instance for all layers, for causal attention.
/// Its parameter is `parameters` [H, N]. `make` throws ConfigError when `parameters` gives anything
/// but [H, N], when head_width is odd, and where a bias or an angle is not finite.
SchemeEntry plain_scheme(const std::string& name, const std::string& summary,
                         const PlainFunctions& functions);

}  // namespace phasor::inline PHASOR_PRECISION
