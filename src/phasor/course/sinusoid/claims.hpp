// What is measured of claims about the sinusoidal encoding itself.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "phasor/course/claim.hpp"

namespace phasor::sinusoids {

/// What D0 says of a pair of dimensions, of a width it does not name: how many positions one turn
/// takes, and which hand of a clock the pair is.
struct Clock {
  std::size_t dimension;  ///< the first of the pair
  double wavelength;      ///< positions
  std::string_view hand;
};
inline constexpr std::array<Clock, 5> kClocks = {{{0, 6.3, "seconds"},
                                                  {64, 40, "minutes"},
                                                  {128, 250, "hours"},
                                                  {192, 1580, "days"},
                                                  {254, 62832, "years"}}};

/// How many positions one turn of each pair takes: 2 pi over the angle between the pair at
/// positions 0 and 1, which must be below 2 pi. `encode` is asked for two positions.
std::vector<double> measured_waves(const Encoder& encode, std::size_t width, double base = 10000);
/// The same of rows that are there already.   pe: [T, d], T >= 2 -> d / 2 values.
std::vector<double> measured_waves(const xt::xarray<double>& pe);

/// "6.28", "628", "58,470".
std::string grouped(double value);

// One finding each; the statements are in claims.cpp.
Finding longest_wave(const Evidence& evidence);
Finding shortest_wave(const Evidence& evidence);
Finding quarter_wave(const Evidence& evidence);
Finding clock_table(const Evidence& evidence);
Finding lowest_frequency(const Evidence& evidence);
Finding own_frequency(const Evidence& evidence);
Finding tenths(const Evidence& evidence);
Finding fast_and_slow(const Evidence& evidence);
Finding early_dimensions(const Evidence& evidence);
Finding unique_rows(const Evidence& evidence);
Finding exact_norm(const Evidence& evidence);
Finding bounded(const Evidence& evidence);
Finding no_parameters(const Evidence& evidence);
Finding even_width(const Evidence& evidence);
Finding worked_table(const Evidence& evidence);
Finding small_table(const Evidence& evidence);
Finding log_space(const Evidence& evidence);

}  // namespace phasor::sinusoids
