// Claims on what the inner product is: a function of distance, and how it falls.
#include "phasor/course/product/measures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/larger.hpp"

namespace phasor::product_measure {
namespace {

constexpr double kBase = 10000;
// Rounding moves a product of up to 128 pairs at positions below 10,200 by less than 1e-9; what
// depends on the position by more than rounding does so in the first digits.
constexpr double kRounding = 1e-9;

/// PE(0) . PE(p) as a share of PE(0) . PE(0).
std::vector<double> shares(const Evidence& evidence, std::size_t positions, std::size_t width) {
  std::vector<double> dots = dots_from(evidence.encode(positions, width, kBase));
  const double whole = dots[0];
  for (double& dot : dots) dot /= whole;
  return dots;
}

double mean(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t n = begin; n < end; ++n) sum += values[n];
  return sum / static_cast<double>(end - begin);
}

}  // namespace

Finding distance_alone(const Evidence& evidence) {
  const xt::xarray<double> small = evidence.encode(15, 8, kBase);
  const double narrow = widest_spread(small);
  const double wide = widest_spread(evidence.encode(256, 128, kBase));
  const std::vector<double> dots = dots_from(small);
  Finding finding{narrow < kRounding && wide < kRounding ? Verdict::kHolds : Verdict::kFails,
                  "",
                  {{"spread of 15 x 8", narrow}, {"spread of 256 x 128", wide}}};
  std::vector<std::string> values;
  for (std::size_t distance = 1; distance < 15; distance += 2) {
    values.push_back(fmt::format("{:.4f}", dots[distance]));
    finding.numbers.push_back({fmt::format("distance {}", distance), dots[distance]});
  }
  finding.measured = fmt::format(
      "Pairs equally far apart differ by at most {:.1g} (15 positions, width 8) and {:.1g} (256, "
      "128). At distances 1, 3 ... 13: {}. This is about raw encodings, with no matrix between.",
      narrow, wide, fmt::join(values, ", "));
  return finding;
}

Finding sum_of_cosines_holds(const Evidence& evidence) {
  const xt::xarray<double> pe = evidence.encode(512, 128, kBase);
  const std::vector<double> w = frequencies(128, kBase);
  double error = 0;
  for (std::size_t distance = 0; distance < 512; ++distance) {
    const double sum = sum_of_cosines(static_cast<double>(distance), w);
    for (const double dot : dots_at_distance(pe, distance))
      error = larger(error, std::abs(dot - sum));
  }
  const double direct = dots_from(pe, 10)[15], sum = sum_of_cosines(5, w);
  const bool holds = error < kRounding && std::abs(direct - sum) < kRounding;
  return {holds ? Verdict::kHolds : Verdict::kFails,
          fmt::format("PE(10) · PE(15) is {:.4f} at width 128, the sum of cosines {:.4f}; over "
                      "all pairs of 512 positions the two differ by at most {:.1g}.",
                      direct, sum, error),
          {{"product", direct}, {"sum", sum}, {"error", error}}};
}

Finding common_shift(const Evidence& evidence) {
  constexpr std::array<std::array<std::size_t, 2>, 3> kPairs = {{{3, 7}, {10, 15}, {0, 100}}};
  const xt::xarray<double> pe = evidence.encode(10101, 32, kBase);
  double error = 0, largest = 0;
  for (const auto& pair : kPairs) {
    const double before = dots_from(pe, pair[0])[pair[1]];
    for (const std::size_t shift : {1, 100, 10000}) {
      const double after = dots_from(pe, pair[0] + shift)[pair[1] + shift];
      error = larger(error, std::abs(after - before));
    }
    largest = larger(largest, std::abs(before));
  }
  return {error < kRounding ? Verdict::kHolds : Verdict::kFails,
          fmt::format("The pairs (3, 7), (10, 15) and (0, 100), moved by 1, 100 and 10,000 "
                      "positions at width 32, keep their products (up to {:.2f}) to within {:.1g}.",
                      largest, error),
          {{"largest change", error}}};
}

Finding goes_to_zero(const Evidence& evidence) {
  constexpr std::array<std::size_t, 3> kFar = {50, 100, 1000};
  const std::vector<double> widest = shares(evidence, 1001, 2048);
  const std::vector<double> wide = shares(evidence, 6501, 512);
  const double nearer = mean(wide, 900, 1101), farther = mean(wide, 5500, 6501);
  Finding finding{
      Verdict::kFails,
      "",
      {{"mean about 1000, width 512", nearer}, {"mean about 6000, width 512", farther}}};
  double least = 1;
  std::vector<std::string> measured, law;
  for (const std::size_t p : kFar) {
    least = smaller(least, std::abs(widest[p]));
    measured.push_back(fmt::format("{:.2f}", widest[p]));
    law.push_back(fmt::format("{:.2f}", decay_law(static_cast<double>(p), kBase)));
    finding.numbers.push_back({fmt::format("share at {}", p), widest[p]});
  }
  // A tenth of the product at distance 0 is what "about 0" is taken to allow.
  if (least < 0.1) finding.verdict = Verdict::kHolds;
  finding.measured = fmt::format(
      "As a share of d/2, at width 2048: {} at distances 50, 100 and 1000. More pairs do not "
      "change it: for 1 << p << 10,000 the share follows 1 - (ln p + 0.5772)/ln 10,000, here {}. "
      "It is the base that brings it near 0, at distances not far from 10,000: at width 512 the "
      "mean is {:.3f} over distances 900 to 1,100 and {:.3f} over 5,500 to 6,500.",
      fmt::join(measured, ", "), fmt::join(law, ", "), nearer, farther);
  return finding;
}

Finding close_to_half_width(const Evidence& evidence) {
  const std::vector<double> share = shares(evidence, 24, 32);
  std::size_t near = 0;
  while (near + 1 < share.size() && share[near + 1] > 0.9) ++near;
  const xt::xarray<double> pe = evidence.encode(3, 32, kBase);
  const Verdict verdict = near + 1 == share.size() ? Verdict::kHolds
                          : near > 0               ? Verdict::kHoldsIf
                                                   : Verdict::kFails;
  return {
      verdict,
      conditional(verdict, fmt::format("the distance is at most {}", near),
                  fmt::format("at width 32 the shares of d/2 at distances 1, 2, 3 and 4 are "
                              "{:.2f}, {:.2f}, {:.2f} and {:.2f}. The fastest pair is not near "
                              "1 at all: its cosine is {:.2f} after one step and {:.2f} after two.",
                              share[1], share[2], share[3], share[4], pe(1, 1), pe(2, 1))),
      {{"share at 1", share[1]},
       {"share at 2", share[2]},
       {"up to distance", static_cast<double>(near)}}};
}

Finding falls_with_swings(const Evidence& evidence) {
  const std::vector<double> share = shares(evidence, 64, 32);
  const std::size_t up = steps_up(share);
  const double early = mean(share, 0, 16), late = mean(share, 48, 64);
  const auto least = std::min_element(share.begin(), share.end());
  // A fall of a twentieth of d/2: waves without a trend have the same mean but for rounding.
  return {up > 0 && late < early - 0.05 ? Verdict::kHolds : Verdict::kFails,
          fmt::format("64 positions, width 32: {} of 63 steps go up, and still the mean share of "
                      "d/2 falls from {:.2f} over the first sixteen distances to {:.2f} over the "
                      "last. The least is {:.2f}, at {}.",
                      up, early, late, *least, least - share.begin()),
          {{"steps up", static_cast<double>(up)},
           {"mean of the first", early},
           {"mean of the last", late},
           {"least", *least},
           {"least at", static_cast<double>(least - share.begin())}}};
}

Finding smooth_fall(const Evidence& evidence) {
  const std::vector<double> share = shares(evidence, 24, 32);
  const std::size_t up = steps_up(share);
  const double least = *std::min_element(share.begin(), share.end());
  return {up == 0 ? Verdict::kHolds : Verdict::kFails,
          fmt::format("24 positions, width 32: {} of 23 steps go up, and the similarity never "
                      "falls below {:.3f}.",
                      up, least),
          {{"steps up", static_cast<double>(up)}, {"least", least}}};
}

Finding mainly_distance(const Evidence& evidence) {
  const xt::xarray<double> pe = normalised(evidence.encode(24, 32, kBase));
  const double spread = widest_spread(pe);
  const std::vector<double> first = dots_from(pe);
  const auto ends = std::minmax_element(first.begin(), first.end());
  const double range = *ends.second - *ends.first;
  // "Mainly": the distance decides at least half of what there is to decide.
  return {spread < range / 2 ? Verdict::kHolds : Verdict::kFails,
          fmt::format("Pairs at one distance differ by at most {:.1g} (24 positions, width 32), "
                      "while distances differ by up to {:.2f}: {}.",
                      spread, range,
                      spread < kRounding ? "not mainly but entirely, for raw encodings"
                                         : "the place counts too"),
          {{"spread", spread}, {"range", range}}};
}

}  // namespace phasor::product_measure
