// Made by tests/golden/lab03_inner_product.py, with NumPy; do not edit.
// clang-format off
#pragma once
#include <array>

// Of 15 positions at width 8: distances 1, 3 ... 13.
inline constexpr std::array<double, 7> kFlatLines = {
    3.5352559715628726, 1.9648895262775232, 3.1599825077746067, 3.516270941981114,
    1.7063919396713563, 2.4519174179803644, 3.166423004979607};
// PE(10) . PE(15) at width 128.
inline constexpr std::array<double, 1> kProduct = {
    47.18501196983998};
// Width 2048 at distances 50, 100, 1000; the law there; where the law is 0.
inline constexpr std::array<double, 3> kFarShares = {
    0.5119692306994724, 0.4367436918822744, 0.19137849335342166};
inline constexpr std::array<double, 3> kLaw = {
    0.5125871043822823, 0.43732960546628696, 0.18732960546628707};
inline constexpr std::array<double, 1> kLawZero = {
    5614.594835668851};
// Width 32: shares at distances 1 to 4; steps up and least of 24 and of 64.
inline constexpr std::array<double, 4> kNearShares = {
    0.9571030743690792, 0.8581335760794968, 0.7670248909763537, 0.7288438612442858};
inline constexpr std::array<double, 2> kFall24 = {
    9.0, 0.49528700440734114};
inline constexpr std::array<double, 3> kFall64 = {
    29.0, 0.33184106099121446, 48.0};
// The most similar distance from 1 to 10000 at widths 2 4 6 8 10 12 16 32 64.
inline constexpr std::array<double, 9> kMostSimilar = {
    710.0, 1885.0, 2840.0, 6283.0,
    9513.0, 1.0, 1.0, 1.0,
    1.0};
// Width 8 at distances 3 and 6.
inline constexpr std::array<double, 2> kThreeAndSix = {
    0.4912223815693808, 0.9459221103873121};
// By how much 15 is more similar to 10 than 20 is, at the least over even widths.
inline constexpr std::array<double, 1> kTenAndTwenty = {
    0.06010836708108269};
// Of the even widths 4 to 128, at how many 20 is the more similar: bases 2 2.5 3 4 5 6.
inline constexpr std::array<double, 6> kSmallBases = {
    63.0, 63.0, 63.0, 62.0,
    61.0, 0.0};
// Width 64: least and most from 900 to 1100, and the neighbour.
inline constexpr std::array<double, 3> kThousand = {
    -0.04428961074132833, 0.40084608122865106, 0.9661509894255946};
// Width 512: means over 900 to 1100 and over 5500 to 6500.
inline constexpr std::array<double, 2> kFarMeans = {
    0.18596478423763746, 0.0023786428066848698};
// Up to which distance products are readable at widths 4 32 128 512.
inline constexpr std::array<double, 4> kReadable = {
    0.0, 3.0, 10.0, 42.0};
// L2 distances at width 128; up to which they grow, and steps down of 49.
inline constexpr std::array<double, 10> kDistances = {
    0.0, 1.9525963198942966, 3.638169717639966, 4.860817131472265,
    5.552291335174614, 5.7991358028865, 5.819509576842755, 5.8614280386219715,
    6.046401563411463, 6.308175980807618};
inline constexpr std::array<double, 2> kDistanceSteps = {
    11.0, 14.0};
// The nearest of the first hundred.
inline constexpr std::array<double, 1> kNearest = {
    1.9525963198942966};
