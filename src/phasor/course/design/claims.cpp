// What the documents say of the choices in the sinusoidal encoding, measured.
#include "phasor/course/design/measures.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

/// Of the angle, and of sine with cosine.
std::vector<Claim> claims_of_the_form() {
  return {
      {"D2-linear-position", "D2",
       "The angle must be linear in the position: with its square or its logarithm no fixed matrix "
       "moves the encoding along.",
       "lab04", "lab04-choices", design_measure::linear_position},
      {"D2-position-in-denominator", "D2",
       "With the position in the denominator early tokens would differ much more than later ones, "
       "which would hardly differ at all.",
       "lab04", "lab04-collisions", design_measure::position_in_denominator},
      {"D2-inverse-has-no-matrix", "D2",
       "With the position in the denominator no fixed matrix moves the encoding along.", "lab04",
       "lab04-choices", design_measure::inverse_has_no_matrix},
      {"D2-sine-alone", "D2, D3",
       "Sines alone lose the shift: no fixed matrix moves them along without their cosines.",
       "lab04", "lab04-choices", design_measure::sine_alone},
      {"D2-two-phases", "D2",
       "A sine alone has the same value for two phases; with its cosine the phase can be read "
       "back.",
       "lab04", "lab04-choices", design_measure::two_phases},
      {"D2-pair-product", "D2",
       "The inner product of two (sine, cosine) pairs drops the absolute positions and keeps how "
       "far apart they are, up to whole turns.",
       "lab04", "lab04-choices", design_measure::pair_product},
  };
}

/// Of the frequencies: their range and their spacing.
std::vector<Claim> claims_of_the_frequencies() {
  return {
      {"D2-base-not-sacred", "D2, D3",
       "The base 10000 is not sacred: 8192, 5000 or 50000 would do, and only change the range of "
       "frequencies.",
       "lab04", "lab04-bases", design_measure::base_not_sacred},
      {"D3-base-is-overkill", "D3",
       "For 128 positions base 10000 has a wider range of wavelengths than is needed.", "lab04",
       "lab04-bases", design_measure::base_is_overkill},
      {"D3-base-for-length", "D3",
       "A base of T / (2 pi) makes the range of wavelengths fit T positions.", "lab04",
       "lab04-bases", design_measure::base_for_length},
      {"D2-one-frequency", "D2",
       "With one frequency for all dimensions tokens 1 and 100 would not differ in any meaningful "
       "way.",
       "lab04", "lab04-collisions", design_measure::one_frequency},
      {"D2-equal-resolution", "D2, D3",
       "Geometric spacing gives every order of magnitude of distance the same number of "
       "dimensions; linear spacing crowds them at one scale.",
       "lab04", "lab04-bases", design_measure::equal_resolution},
      {"D3-arithmetic-spacing", "D3",
       "With frequencies in equal steps, positions one step apart and positions far apart look "
       "much the same.",
       "lab04", "lab04-collisions", design_measure::arithmetic_spacing},
      {"D3-fourier-basis", "D3",
       "The geometric set of sinusoids is a truncated Fourier basis, in which a position is "
       "expressed as an impulse is.",
       "lab04", "lab04-fourier", design_measure::fourier_basis},
      {"D3-no-two-alike", "D3",
       "No two positions up to 10000 share an encoding, because the longest wave is that long.",
       "lab04", "lab04-bases", design_measure::no_two_alike},
      {"D0-incommensurate", "D0",
       "With enough clocks of incommensurate frequencies no two positions have the same encoding.",
       "lab04", "lab04-bases", design_measure::incommensurate},
  };
}

}  // namespace

std::vector<Claim> design_claims() {
  std::vector<Claim> all = claims_of_the_form();
  for (Claim& claim : claims_of_the_frequencies()) all.push_back(std::move(claim));
  return all;
}

}  // namespace phasor
