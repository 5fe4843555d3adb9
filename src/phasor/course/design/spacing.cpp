// Claims on the spacing of frequencies, and on which positions look alike.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/design.hpp"
#include "phasor/analysis/gram.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/design/measures.hpp"

namespace phasor::design_measure {
namespace {

constexpr double kBase = 10000;
constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kSame = 1e-9;  // rounding; nearer than that two rows are one

/// How many of the waves lie in [1, 10), [10, 100), [100, 1000) and [1000, 10000) times 2 pi.
std::array<std::size_t, 4> pairs_by_decade(const xt::xarray<double>& rows) {
  std::array<std::size_t, 4> counts = {};
  for (const double w : turns_between(rows, 0, 1)) {
    // A wave at the edge, such as 10 times 2 pi, must not fall below it by rounding.
    const double decade = std::floor(-std::log10(w) + 1e-6);
    if (decade >= 0 && decade < 4) ++counts[static_cast<std::size_t>(decade)];
  }
  return counts;
}

/// The nearest of 10,001 positions. Where the distance of two rows is a function of the difference
/// of their positions, position 0 stands for all; pairs of the first 256 are tried all the same.
RowPair nearest_of_all(const Evidence& evidence, std::size_t width) {
  const RowPair far = nearest_to_first(evidence.encode(10001, width, kBase));
  const RowPair near = nearest_pair(evidence.encode(256, width, kBase));
  return near.distance < far.distance ? near : far;
}

}  // namespace

Finding one_frequency(const Evidence& evidence) {
  const xt::xarray<double> pe = evidence.encode(711, 2, kBase);  // width 2 has w = 1 alone
  const auto sines = [&](std::size_t p, std::size_t q) { return std::abs(pe(p, 0) - pe(q, 0)); };
  const double named = sines(1, 100), other = sines(1, 45), turns = distances_from(pe)[710];
  return {named > 0.1 ? Verdict::kFails : Verdict::kHolds,
          fmt::format(
              "The sines of 1 and 100 differ by {:.2f}, more than half of what is possible. The "
              "point stands with other numbers: sin 1 and sin 45 differ by {:.4f}, and 710 "
              "positions are 113 turns, so that the pairs of 0 and 710 are {:.1e} apart.",
              named, other, turns),
          {{"1 and 100", named}, {"1 and 45", other}, {"0 and 710", turns}}};
}

Finding equal_resolution(const Evidence& evidence) {
  constexpr std::size_t kWidth = 64;
  const std::array<std::size_t, 4> geometric = pairs_by_decade(evidence.encode(2, kWidth, kBase));
  const std::array<std::size_t, 4> linear =
      pairs_by_decade(encoding_of(design_named("linear").with(kBase), 2, kWidth));
  const auto ends = std::minmax_element(geometric.begin(), geometric.end());
  const std::size_t crowd = *std::max_element(linear.begin(), linear.end());
  const bool holds = *ends.second - *ends.first <= 1 && 2 * crowd > kWidth / 2;
  return {holds ? Verdict::kHolds : Verdict::kFails,
          fmt::format("Of 32 pairs, waves from 6.28 to 62,832 positions, decade by decade: {} with "
                      "geometric spacing, {} with steps of 1/32.",
                      fmt::join(geometric, ", "), fmt::join(linear, ", ")),
          {{"most in a decade", static_cast<double>(*ends.second)},
           {"fewest in a decade", static_cast<double>(*ends.first)},
           {"most in a decade, linear", static_cast<double>(crowd)}}};
}

Finding arithmetic_spacing(const Evidence& evidence) {
  constexpr std::size_t kWidth = 64;
  const AngleFunction steps = [](std::size_t p, std::size_t k, std::size_t) {
    return static_cast<double>(p * (k + 1)) / 64;  // the text's own example
  };
  const std::vector<double> equal = dots_from(normalised(encoding_of(steps, 403, kWidth)));
  const std::vector<double> geometric = dots_from(normalised(evidence.encode(403, kWidth, kBase)));
  double far = 0, geometric_far = 0;
  for (std::size_t p = 20; p <= 380; ++p) {
    far = larger(far, std::abs(equal[p]));
    geometric_far = larger(geometric_far, std::abs(geometric[p]));
  }
  const auto again = std::max_element(equal.begin() + 381, equal.end());
  // Alike: less than a fifth of the scale lies between near and far.
  return {
      equal[1] - far < 0.2 ? Verdict::kHolds : Verdict::kFails,
      fmt::format("With steps of 1/64 and 32 pairs neighbours have similarity {:.3f}, positions 20 "
                  "to 380 apart at most {:.3f}; with geometric spacing it is {:.3f} and {:.3f}, "
                  "so near and far are told apart less sharply there. The trouble with equal "
                  "steps comes later: they start again, {:.3f} at distance {}.",
                  equal[1], far, geometric[1], geometric_far, *again, again - equal.begin()),
      {{"neighbours", equal[1]},
       {"far", far},
       {"again", *again},
       {"again at", static_cast<double>(again - equal.begin())},
       {"neighbours, geometric", geometric[1]},
       {"far, geometric", geometric_far}}};
}

Finding fourier_basis(const Evidence& evidence) {
  constexpr std::size_t kLength = 128, kWidth = 64;
  const Frame geometric = frame_of(evidence.encode(kLength, kWidth, kBase));
  const Frame fourier = frame_of(encoding_of(fourier_angle(kLength), kLength, kWidth));
  // Two columns of a basis like Fourier's are at right angles; a tenth leaves room for rounding
  // and for nothing else.
  return {
      geometric.largest_cosine < 0.1 ? Verdict::kHolds : Verdict::kFails,
      fmt::format(
          "128 positions, 64 columns: the cosine between two columns reaches 1 - {:.0e} "
          "(Fourier's equal steps of 2 pi/128: {:.0e}). Only {} of the 64 singular values are "
          "above {:.0f} % of the largest ({}), and what belongs to these rebuilds {:.0f} % "
          "of an impulse at position 64 ({:.0f} %). No column is exactly a combination of "
          "the others, but using the weaker directions takes numbers a hundred times as "
          "large that cancel.",
          1 - geometric.largest_cosine, fourier.largest_cosine, geometric.directions, 100 * kWeak,
          fourier.directions, 100 * geometric.impulse_energy, 100 * fourier.impulse_energy),
      {{"largest cosine", geometric.largest_cosine},
       {"directions", static_cast<double>(geometric.directions)},
       {"impulse", geometric.impulse_energy},
       {"largest cosine, Fourier", fourier.largest_cosine},
       {"directions, Fourier", static_cast<double>(fourier.directions)},
       {"impulse, Fourier", fourier.impulse_energy}}};
}

Finding no_two_alike(const Evidence& evidence) {
  constexpr std::array<std::size_t, 5> kWidths = {2, 8, 12, 16, 64};
  Finding finding{Verdict::kHolds, "", {}};
  std::vector<std::string> pairs;
  for (const std::size_t width : kWidths) {
    const RowPair nearest = nearest_of_all(evidence, width);
    if (!(nearest.distance >= kSame)) finding.verdict = Verdict::kFails;
    const std::size_t distance = nearest.second - nearest.first;
    pairs.push_back(
        fmt::format("width {}: {:.3g} at distance {}", width, nearest.distance, distance));
    finding.numbers.push_back({fmt::format("nearest, width {}", width), nearest.distance});
    finding.numbers.push_back(
        {fmt::format("distance, width {}", width), static_cast<double>(distance)});
  }
  const std::vector<double> w = turns_between(evidence.encode(2, 2, kBase), 0, 1);
  const double wave = kTurn / w[0];
  finding.numbers.push_back({"only wave, width 2", wave});
  finding.measured = fmt::format("Nearest of 10,001 positions: {}.", fmt::join(pairs, "; "));
  if (finding.verdict == Verdict::kHolds && wave < 10000)
    finding.measured += fmt::format(
        " But that is not the reason: at width 2 the only wave is {:.2f} positions long, and still "
        "no two are alike, since a whole number of positions is never a whole number of turns, as "
        "pi is irrational.",
        wave);
  return finding;
}

Finding incommensurate(const Evidence& evidence) {
  const RowPair one = nearest_of_all(evidence, 2), four = nearest_of_all(evidence, 8);
  const std::vector<double> w = turns_between(evidence.encode(2, 8, kBase), 0, 1);
  return {smaller(one.distance, four.distance) > kSame ? Verdict::kHolds : Verdict::kFails,
          fmt::format("One clock is enough: at width 2 the nearest of 10,001 positions are {:.1e} "
                      "apart. And frequencies need not be incommensurate: at width 8 they are 1, "
                      "1/10, 1/100 and 1/1000, all hands meet again after {:.2f} positions, and as "
                      "that is no whole number the nearest pair is {:.3f} apart, at distance {}.",
                      one.distance, kTurn / w[3], four.distance, four.second - four.first),
          {{"nearest, width 2", one.distance}, {"nearest, width 8", four.distance}}};
}

}  // namespace phasor::design_measure
