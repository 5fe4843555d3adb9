// Made by tests/golden/linear_attention.py, with PyTorch and NumPy; do not edit.
// clang-format off
#pragma once
#include <vector>

namespace phasor::linear_attention_golden {

inline const std::vector<double> kQueries = {
    -0.37, 0.99, 0.42, -0.62,
    0.67, -1.45, 0.59, -0.56,
    0.63, 0.44, -0.77, 0.53,
    0.34, -0.65, 2.0, 0.8,
    -1.18, -0.99, 0.32, 0.31,
    -0.73, 1.22, 0.1, -0.86};
inline const std::vector<double> kKeys = {
    -0.37, -0.18, -1.55, -0.83,
    -1.81, -0.29, 0.61, -1.29,
    0.32, -1.18, -0.16, -0.52,
    -1.21, -0.55, -1.23, 0.29,
    0.05, 1.2, -1.46, 1.09,
    -0.08, 0.41, -0.19, 1.55};
inline const std::vector<double> kValues = {
    1.39, 1.07, 0.26, -2.34,
    0.56, -0.03, -0.13, 0.43};
inline const std::vector<double> kNumerators = {
    4.342480730166304, 3.3427729361711847, 6.960125828930349, -11.446244446253097,
    9.04459087614515, -13.896680523375647, 8.639928858151892, -4.346280821469289};
inline const std::vector<double> kDenominators = {
    3.1240868562347517, 10.385262631958335, 15.448319684381332, 23.414231317565353};
inline const std::vector<double> kTurnedNumerators = {
    4.342480730166304, 3.3427729361711847, 7.152028540741726, -11.298520776009806,
    7.208206554754749, -10.176710946236753, 0.7607677191714772, 6.707904251633357};
inline const std::vector<double> kTurnedDenominators = {
    3.1240868562347517, 10.523322136858607, 12.48422198467922, 12.179730206470703};
inline const std::vector<double> kOutputs = {
    1.39, 1.07, 0.6886709363259576, -1.0879378958834534,
    0.46660133283249183, -0.658758438079559, 0.03249168033121589, 0.28648833953396063};

}  // namespace phasor::linear_attention_golden
