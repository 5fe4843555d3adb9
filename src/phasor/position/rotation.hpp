// What all rotations share: pairs of columns turned by an angle.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// Which two columns of a head form pair c: 2c and 2c+1, or c and c + pairs.
struct Pairing {
  std::size_t pairs;
  bool is_interleaved;
  std::size_t first(std::size_t c) const { return is_interleaved ? 2 * c : c; }
  std::size_t second(std::size_t c) const { return is_interleaved ? 2 * c + 1 : c + pairs; }
};

/// Every pair of x: [B, H, T, D] turned by its angle and stretched:
///   (x, y) -> factor * (x cos a - y sin a, x sin a + y cos a),  a = p * frequencies[c].
/// Columns beyond the pairs stay as they are. Backward turns dy the other way: the transpose of a
/// rotation is its inverse. Throws ShapeError.
Var rotate_pairs(const Var& x, const Positions& positions, const std::vector<double>& frequencies,
                 const Pairing& pairing, double factor = 1);

/// base^(-2c / width) for c = 0 .. width/2 - 1.
std::vector<double> rotation_frequencies(double base, std::size_t width);

/// A scheme that turns q and k by angles in proportion to their positions.
class RotationScheme : public Scheme {
 public:
  /// Radians per position of each pair, given all positions that are in sight.
  virtual std::vector<double> frequencies(const Positions& keys) const = 0;
  /// On cos and sin, so that logits get its square.
  virtual double factor() const { return 1; }
  std::optional<Var> added_bias(const Context&) const override { return Var(); }
};

/// Throws ConfigError unless the head width is even.
void check_even_head_width(const std::string& scheme, std::size_t head_width);

}  // namespace phasor::inline PHASOR_PRECISION
