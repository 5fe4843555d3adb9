// How a rotation is slowed so that it reaches beyond the length it was trained at.
#pragma once
#include "phasor/position/scheme.hpp"

namespace phasor::inline PHASOR_PRECISION {

/// With w_c = B^(-2c/R) the frequency of pair c, R the rotated width, L the trained length, l the
/// length in sight, s the factor:
///
/// pi            w_c / s. Chen et al. 2023, arXiv 2306.15595, equation 3.
/// ntk           base B' = B s^(R/(R-2)): the first pair stays, the last is slowed by exactly s.
///               bloc97 2023; Peng et al. 2023, arXiv 2309.00071, equation 16.
/// dynamic_ntk   ntk with a factor that follows the length: form `hf` f l/L - (f - 1) beyond L
///               (Hugging Face), form `paper` max(1, l/L) (arXiv 2309.00071, section 3.3).
/// yarn          w_c (k + (1 - k)/s), k the share of the original frequency, and cos and sin times
///               0.1 ln s + 1. Ramp `code`: k falls linearly in c, from the pair that makes beta
///               turns in L (rounded down) to the one that makes alpha (rounded up), as the
///               authors' code does; ramp `paper`: k = (L/wavelength - alpha) / (beta - alpha),
///               clamped. arXiv 2309.00071, equations 17 to 22; alpha 1, beta 32.
/// llama3        k as in ramp `paper` with alpha 1, beta 4 (Meta's low and high frequency factors).
struct RopeScaling {
  enum class Kind { none, pi, ntk, dynamic_ntk, yarn, llama3 };
  Kind kind = Kind::none;
  double factor = 1;
  double trained_length = 0;  // L
  bool paper_form = false;    // of dynamic_ntk
  bool paper_ramp = false;    // of yarn
  double alpha = 0, beta = 0;
  double attention_factor = 1;  // on cos and sin

  /// Whether the base is stretched: ntk and dynamic_ntk.
  bool changes_base() const { return kind == Kind::ntk || kind == Kind::dynamic_ntk; }
  /// s of ntk and dynamic_ntk, for l positions in sight; 1 for the others.
  double stretch(double length) const;
  /// B s^(R/(R-2)).
  double base(double base, std::size_t rotated, double length) const;
  /// k of every pair; 1 everywhere unless yarn or llama3.
  std::vector<double> original_share(double base, std::size_t rotated) const;
  /// Radians per position, [rotated / 2].
  std::vector<double> frequencies(double base, std::size_t rotated, double length) const;
};

/// The options that describe a scaling, for the table of a scheme.
std::vector<OptionSpec> rope_scaling_options();

/// Throws ConfigError on a text that is no scaling, or one that does not suit the rotated width.
RopeScaling rope_scaling(const std::string& scheme, const Options& options, std::size_t rotated,
                         std::size_t context);

}  // namespace phasor::inline PHASOR_PRECISION
