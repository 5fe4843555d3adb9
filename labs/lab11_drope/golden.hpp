// Made by tests/golden/lab11_drope.py, with NumPy and an integral; do not edit.
// clang-format off
#pragma once
#include <array>

namespace phasor::lab11 {

struct GoldenTemperature {
  double c, length, trained_length, expected;
};
inline constexpr std::array<GoldenTemperature, 7> kGoldenTemperatures = {{
    {0.4, 256, 64, 1.5545177444479563},
    {0.4, 512, 64, 1.8317766166719345},
    {0.1, 96, 64, 1.0405465108108165},
    {0.4, 64, 64, 1.0},
    {0.4, 16, 64, 1.0},
    {0.0, 512, 64, 1.0},
    {1.0, 3000, 1000, 2.0986122886681096}}};

}  // namespace phasor::lab11
