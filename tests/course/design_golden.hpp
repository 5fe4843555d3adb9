// Made by tests/golden/lab04_design.py, with NumPy; do not edit.
// clang-format off
#pragma once
#include <array>
#include <cstddef>

// What is left: p squared with one pair and four, log p with one and four.
inline constexpr std::array<double, 4> kLeft = {
    0.9970162416649675, 0.8580851754151408, 0.21457455703557127, 7.877832214199587e-05};
// Of four sines, and of eight.
inline constexpr std::array<double, 2> kSines = {
    0.6349180208877441, 0.6289906990773358};
// Neighbours 0, 1 and 100, 101 with angles w / (1 + p), width 64.
inline constexpr std::array<double, 2> kInverse = {
    0.7507708764687403, 0.0001467272174677033};
// Largest change of similarity from base 10000: bases 5000 8192 50000 100.
inline constexpr std::array<double, 4> kBaseChanges = {
    0.18062506777492549, 0.20911078680068615, 0.3260049416065856, 0.570673475576521};
// T = 128: the rule; longest waves with it and fitting bases at widths 8 32 64;
// the first width whose wave is within 5 %.
inline constexpr std::array<double, 1> kRule = {
    20.371832715762604};
inline constexpr std::array<double, 3> kRuleWaves = {
    60.24936088170975, 106.02190132836893, 116.4937911222363};
inline constexpr std::array<double, 3> kFitting = {
    55.63825087050221, 24.905701272054586, 22.452095392848058};
inline constexpr std::array<double, 1> kRuleWidth = {
    118.0};
// Pairs of 32 that finish no turn in 128 positions.
inline constexpr std::array<double, 1> kUnfinished = {
    21.0};
// sin 1 - sin 100, sin 1 - sin 45, the pairs of 0 and 710.
inline constexpr std::array<double, 3> kOne = {
    1.3478366259176553, 0.009432539726221933, 6.02887067189769e-05};
// Steps of 1/32: similarity of neighbours, the most from 20 to 180, again, where.
inline constexpr std::array<double, 4> kLinear = {
    0.8342197281384417, 0.059507762662766944, 0.999330639612262, 201.0};
// Nearest of 10,001 positions and at which distance: widths 2 8 12 16 64.
inline constexpr std::array<double, 10> kNearestPairs = {
    6.02887067189769e-05, 710.0, 0.18597700562682956, 6283.0,
    0.9838144754166052, 1.0, 1.0147253387124024, 1.0,
    1.4718480481224778, 1.0};
// Of 128 positions and 64 columns, largest cosine between two and the share of an impulse
// that directions with a singular value above 1 % of the largest rebuild: geometric, then
// Fourier's. Then how many directions these are.
inline constexpr std::array<double, 5> kFourier = {
    0.999999999951798, 0.1693482561922163, 0.4999999999999999, 22.0,
    64.0};
// Steps of 1/64: neighbours, the most from 20 to 380, again, where; then of geometric
// spacing neighbours and the most from 20 to 380.
inline constexpr std::array<double, 6> kSixtyFourths = {
    0.9569187967834589, 0.10608276758383464, 0.999330639612262, 402.0,
    0.9661509894255946, 0.6292087712651317};
// What is left with angles w / (1 + p): one pair, four.
inline constexpr std::array<double, 2> kInverseLeft = {
    0.022167612454279166, 6.02619950192641e-05};
