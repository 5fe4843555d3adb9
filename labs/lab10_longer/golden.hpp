// Made by tests/golden/lab10_longer.py, with NumPy and wavelengths; do not edit.
// clang-format off
#pragma once
#include <array>

#include "labs/lab10_longer/exercise.hpp"

namespace phasor::lab10 {

inline constexpr TrainedRotation kSmall = {16, 50.0, 100.0, 1.0, 8.0};
inline constexpr double kSmallFactor = 3.0;
inline constexpr std::array<double, 8> kSmallInterpolation = {
    0.3333333333333333, 0.2044125211724347, 0.12535343643621313, 0.07687143593866458,
    0.04714045207910319, 0.02890829597609346, 0.017727652989816635, 0.010871262726355399};
inline constexpr std::array<double, 8> kSmallNtk = {
    1.0, 0.5241656658920668, 0.27474964530007373, 0.14401433078232226,
    0.07548736759251631, 0.03956788630057053, 0.020740127470680134, 0.010871262726355399};
inline constexpr std::array<double, 8> kSmallYarn = {
    1.0, 0.6132375635173041, 0.30389919653946335, 0.1355208428918214,
    0.06398697874067283, 0.03204913657856907, 0.017727652989816635, 0.010871262726355399};

// The share of its original frequency that YaRN's ramp leaves pair 33.
inline constexpr TrainedRotation kLarge = {128, 10000.0, 4096.0, 1.0, 32.0};
inline constexpr double kLargeFactor = 4.0;
inline constexpr double kLargeShareOfPair33 = 0.14984547440835913;

// The base that NTK puts in place of 10000 at a head width of 64, four times longer.
inline constexpr double kNtkBaseOfWidth64 = 41829.36592889914;

}  // namespace phasor::lab10
