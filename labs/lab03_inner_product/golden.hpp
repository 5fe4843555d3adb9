// Made by tests/golden/lab03_inner_product.py, with NumPy; do not edit.
// clang-format off
#pragma once
#include <array>
#include <cstddef>
#include <limits>

namespace phasor::lab03 {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t kGoldenRowWidth = 3;
inline constexpr std::array<double, 15> kGoldenRows = {
    1.0, -2.0, 3.0, 4.0,
    0.0, -1.0, -3.0, 5.0,
    2.0, 7.0, 1.0, 1.0,
    0.0, -6.0, 4.0};
inline constexpr std::array<double, 25> kGoldenDots = {
    14.0, 17.0, 38.0, 51.0,
    52.0, 1.0, -14.0, -14.0,
    -2.0, kNone, -7.0, 27.0,
    -22.0, kNone, kNone, 8.0,
    -4.0, kNone, kNone, kNone,
    24.0, kNone, kNone, kNone,
    kNone};
inline constexpr std::size_t kGoldenPositions = 7;
inline constexpr double kGoldenBase = 50.0;
inline constexpr std::array<double, 49> kGoldenSinusoid = {
    4.0, 3.9999999999999996, 4.0, 4.0,
    4.0, 4.0, 4.0, 3.459023817915932,
    3.459023817915932, 3.459023817915932, 3.4590238179159316, 3.4590238179159325,
    3.4590238179159325, kNone, 2.2687093259984294, 2.26870932599843,
    2.26870932599843, 2.2687093259984294, 2.2687093259984294, kNone,
    kNone, 1.3369527764886397, 1.3369527764886397, 1.3369527764886395,
    1.33695277648864, kNone, kNone, kNone,
    1.234541546807407, 1.2345415468074068, 1.234541546807407, kNone,
    kNone, kNone, kNone, 1.7041718831071004,
    1.7041718831071007, kNone, kNone, kNone,
    kNone, kNone, 1.9376664801280703, kNone,
    kNone, kNone, kNone, kNone,
    kNone};

}  // namespace phasor::lab03
