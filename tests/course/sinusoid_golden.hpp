// Made by tests/golden/lab01_sinusoid.py; do not edit.
// clang-format off
#pragma once
#include <array>

// At widths 8, 32, 64, 128, 256 and 512.
inline constexpr std::array<double, 6> kLongestWaves = {6283.185307179587, 35332.94752055899, 47117.2427801674, 54410.14313077675, 58469.565748416055, 60611.47716626106};
// Dimensions 0, 64, 128, 192 and 254 of width 256.
inline constexpr std::array<double, 5> kClocksOf256 = {6.283185307179586, 62.83185307179586, 628.3185307179587, 6283.185307179587, 58469.565748416055};
// The same of width 320.
inline constexpr std::array<double, 5> kClocksOf320 = {6.283185307179586, 39.644219162949994, 250.13811247045717, 1578.2647919764756, 9401.125890450752};
// From this width on the lowest frequency is 1/10000 to a tenth.
inline constexpr std::array<double, 1> kFirstAbout = {194.0};
// From this width on the longest wave is 62,832 to a tenth.
inline constexpr std::array<double, 1> kWaveFirstAbout = {176.0};
// What is left of a shift by 5, widths 1, 3, 5, 7: a sine alone.
inline constexpr std::array<double, 4> kLastSineAlone = {0.9586422749145654, 0.005362267529840847, 0.00014834810156498412, 9.901718280273248e-07};
// Of 10000 positions at width 8, of 100 at width 128.
inline constexpr std::array<double, 2> kNearest = {0.18597700562680664, 1.9525963198942966};
// How far pairs 0 and 15 of width 32 move in a step.
inline constexpr std::array<double, 2> kMoves = {0.958851077208406, 0.0001778279407695834};
// exp(-log) and power in single precision, width 128.
inline constexpr std::array<double, 2> kSingleErrors = {4.914343950668254e-07, 6.971705479585921e-08};
