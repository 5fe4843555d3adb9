// Claims on the angle, the pair and the base.
#include "phasor/course/design/measures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/design.hpp"
#include "phasor/analysis/least_squares.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/larger.hpp"

namespace phasor::design_measure {
namespace {

constexpr double kBase = 10000;
constexpr double kTurn = 2 * std::numbers::pi;
constexpr std::size_t kPositions = 128, kShift = 5;
// What rounding leaves of an exact shift is 1e-14; the least that a wrong design leaves here, the
// logarithm with four pairs, is 8e-5.
constexpr double kExact = 1e-10, kBroken = 1e-6;

double left_over(const xt::xarray<double>& rows) { return shift_fit(rows, kShift).residual; }

xt::xarray<double> designed(const std::string& name, std::size_t positions, std::size_t width) {
  return encoding_of(design_named(name).with(kBase), positions, width);
}

/// The frequency of every pair, read from how far it turns in the first step.
std::vector<double> frequencies_in(const Evidence& evidence, std::size_t width, double base) {
  return turns_between(evidence.encode(2, width, base), 0, 1);
}

double longest_wave(const Evidence& evidence, std::size_t width, double base) {
  const std::vector<double> w = frequencies_in(evidence, width, base);
  return kTurn / *std::min_element(w.begin(), w.end());
}

}  // namespace

Finding linear_position(const Evidence& evidence) {
  const double one = left_over(evidence.encode(kPositions, 2, kBase));
  const double four = left_over(evidence.encode(kPositions, 8, kBase));
  const double square_one = left_over(designed("square", kPositions, 2));
  const double square_four = left_over(designed("square", kPositions, 8));
  const double log_one = left_over(designed("log", kPositions, 2));
  const LinearFit log_fit = shift_fit(designed("log", kPositions, 8), kShift);
  double largest = 0;
  for (const double entry : log_fit.matrix) largest = larger(largest, std::abs(entry));
  const bool exact = one < kExact && four < kExact;
  const bool broken =
      smaller(smaller(square_one, square_four), smaller(log_one, log_fit.residual)) > kBroken;
  return {
      exact && broken ? Verdict::kHolds : Verdict::kFails,
      fmt::format("The best fixed matrix for {} positions on leaves {:.0e} of the encoding with "
                  "one pair and {:.0e} with four; of p squared {:.2f} and {:.2f}; of log p "
                  "{:.2f} and {:.0e}. That last number is small, not zero: four slow pairs "
                  "nearly lie on a line, and the matrix cancels entries up to {:.0e}.",
                  kShift, one, four, square_one, square_four, log_one, log_fit.residual, largest),
      {{"one pair", one},
       {"four pairs", four},
       {"square, one pair", square_one},
       {"square, four pairs", square_four},
       {"log, one pair", log_one},
       {"log, four pairs", log_fit.residual},
       {"largest entry for log", largest}}};
}

Finding position_in_denominator(const Evidence& evidence) {
  const xt::xarray<double> inverse = designed("inverse", 102, 64);
  const xt::xarray<double> real = evidence.encode(102, 64, kBase);
  const double early = distances_from(inverse, 0)[1], late = distances_from(inverse, 100)[101];
  const double real_early = distances_from(real, 0)[1], real_late = distances_from(real, 100)[101];
  // Much: a hundred times; what the real design does is the same everywhere.
  const bool holds = early > 100 * late && std::abs(real_early / real_late - 1) < 0.01;
  return {
      holds ? Verdict::kHolds : Verdict::kFails,
      fmt::format("With angles w / (1 + p), width 64, positions 0 and 1 are {:.2f} apart, 100 and "
                  "101 {:.1e}. With p in the numerator it is {:.4f} and {:.4f}: early neighbours "
                  "differ much more than late ones, but {} than in the real design.",
                  early, late, real_early, real_late, early < real_early ? "less" : "not less"),
      {{"early", early}, {"late", late}, {"real, early", real_early}, {"real, late", real_late}}};
}

Finding inverse_has_no_matrix(const Evidence& evidence) {
  const double one = left_over(designed("inverse", kPositions, 2));
  const double four = left_over(designed("inverse", kPositions, 8));
  const double real = larger(left_over(evidence.encode(kPositions, 2, kBase)),
                             left_over(evidence.encode(kPositions, 8, kBase)));
  return {real < kExact && smaller(one, four) > kBroken ? Verdict::kHolds : Verdict::kFails,
          fmt::format("With angles w / (1 + p) the best fixed matrix for {} positions on leaves "
                      "{:.2g} of the encoding with one pair and {:.0e} with four; with p in the "
                      "numerator {:.0e} at most. With four it is little, not nothing: such angles "
                      "soon stop moving, and what hardly moves is easily matched.",
                      kShift, one, four, real),
          {{"one pair", one}, {"four pairs", four}, {"real", real}}};
}

Finding sine_alone(const Evidence& evidence) {
  const xt::xarray<double> rows = evidence.encode(kPositions, 8, kBase);
  const double pairs = left_over(rows), sines = left_over(sines_of(rows));
  const double eight = left_over(sines_of(evidence.encode(kPositions, 16, kBase)));
  return {
      pairs < kExact && smaller(sines, eight) > kBroken ? Verdict::kHolds : Verdict::kFails,
      fmt::format("The best fixed matrix for {} positions on leaves {:.2f} of the four sines of "
                  "width 8, {:.2f} of eight sines of eight frequencies, and {:.0e} of four "
                  "pairs.",
                  kShift, sines, eight, pairs),
      {{"four sines", sines}, {"eight sines", eight}, {"four pairs", pairs}}};
}

Finding two_phases(const Evidence& evidence) {
  const xt::xarray<double> pe = evidence.encode(100, 2, kBase);
  double closest = 2, apart = 0, error = 0;
  std::size_t first = 0, second = 0;
  for (std::size_t p = 0; p < 100; ++p) {
    const double phase = std::atan2(pe(p, 0), pe(p, 1));
    error = larger(error, angle_between(phase, static_cast<double>(p)));
    for (std::size_t q = p + 1; q < 100; ++q) {
      const double sines = std::abs(pe(p, 0) - pe(q, 0));
      const double pairs = std::hypot(pe(p, 0) - pe(q, 0), pe(p, 1) - pe(q, 1));
      if (pairs < 1 || sines >= closest) continue;
      closest = sines;
      apart = pairs;
      first = p;
      second = q;
    }
  }
  return {closest < 0.01 && error < 1e-9 ? Verdict::kHolds : Verdict::kFails,
          fmt::format(
              "The sines of {} and {} differ by {:.1e}, their pairs by {:.2f}: the sines are the "
              "same on the way up and on the way down. From the pair the phase of all 100 "
              "positions comes back to within {:.0e}.",
              first, second, closest, apart, error),
          {{"sines", closest}, {"pairs", apart}, {"phase error", error}}};
}

Finding pair_product(const Evidence& evidence) {
  const xt::xarray<double> rows = evidence.encode(256, 8, kBase);
  double widest = 0;
  for (std::size_t pair = 0; pair < 4; ++pair) {
    auto columns = xt::xarray<double>::from_shape({256, 2});
    for (std::size_t p = 0; p < 256; ++p)
      for (std::size_t i = 0; i < 2; ++i) columns(p, i) = rows(p, 2 * pair + i);
    widest = larger(widest, widest_spread(columns));
  }
  return {widest < kExact ? Verdict::kHolds : Verdict::kFails,
          fmt::format("Over 256 positions the product of each of the four pairs of width 8 is the "
                      "same for all positions equally far apart, to within {:.0e}: cos(D w), which "
                      "D, -D and D plus a whole turn share.",
                      widest),
          {{"spread", widest}}};
}

Finding base_not_sacred(const Evidence& evidence) {
  constexpr std::array<double, 4> kBases = {5000, 8192, 50000, 100};
  const std::vector<double> usual = dots_from(normalised(evidence.encode(512, 128, kBase)));
  Finding finding{Verdict::kHolds, "", {}};
  std::vector<std::string> waves, differences;
  double worst = 0, nearest = 2;
  for (const double base : kBases) {
    const xt::xarray<double> pe = normalised(evidence.encode(512, 128, base));
    const std::vector<double> dots = dots_from(pe);
    double difference = 0;
    for (std::size_t p = 0; p < dots.size(); ++p)
      difference = larger(difference, std::abs(dots[p] - usual[p]));
    worst = larger(worst, left_over(evidence.encode(kPositions, 8, base)));
    nearest = smaller(nearest, nearest_to_first(pe).distance);
    waves.push_back(fmt::format("{:.0f}", longest_wave(evidence, 128, base)));
    differences.push_back(fmt::format("{:.2f}", difference));
    finding.numbers.push_back({fmt::format("difference, base {}", base), difference});
  }
  finding.numbers.push_back({"residual", worst});
  finding.numbers.push_back({"nearest", nearest});
  if (!(worst <= kExact && nearest >= 0.01)) finding.verdict = Verdict::kFails;
  finding.measured = fmt::format(
      "Bases {}: the fixed matrix is exact to {:.0e}, no two of 512 positions come nearer than "
      "{:.2f} row lengths, similarities differ from those of base 10000 by up to {} (width 128), "
      "and the longest wave is {}. What training makes of it is not measured here.",
      fmt::join(kBases, ", "), worst, nearest, fmt::join(differences, ", "),
      fmt::join(waves, ", "));
  return finding;
}

Finding base_is_overkill(const Evidence& evidence) {
  constexpr std::size_t kWidth = 64;
  const std::vector<double> w = frequencies_in(evidence, kWidth, kBase);
  const auto unfinished = std::count_if(w.begin(), w.end(), [](double frequency) {
    return frequency * static_cast<double>(kPositions) < kTurn;
  });
  const auto share = static_cast<double>(unfinished) / static_cast<double>(w.size());
  return {
      share >= 0.5 ? Verdict::kHolds : Verdict::kFails,
      fmt::format("At width {} {} of {} pairs do not finish one turn in {} positions; the "
                  "longest wave is {:.0f}. Whether that hurts is a question of training.",
                  kWidth, unfinished, w.size(), kPositions, longest_wave(evidence, kWidth, kBase)),
      {{"pairs that finish no turn", static_cast<double>(unfinished)}}};
}

Finding base_for_length(const Evidence& evidence) {
  constexpr double kLength = 128, kClose = 0.05;
  const double base = kLength / kTurn;
  Finding finding{Verdict::kFails, "", {{"base", base}}};
  std::vector<std::string> waves, exact;
  for (const std::size_t width : {8, 32, 64}) {
    const double wave = longest_wave(evidence, width, base);
    const auto d = static_cast<double>(width);
    const double fitting = std::pow(base, d / (d - 2));
    waves.push_back(fmt::format("{:.0f}", wave));
    exact.push_back(fmt::format("{:.1f}", fitting));
    finding.numbers.push_back({fmt::format("wave, width {}", width), wave});
    finding.numbers.push_back({fmt::format("fitting base, width {}", width), fitting});
    finding.numbers.push_back(
        {fmt::format("wave at that, width {}", width), longest_wave(evidence, width, fitting)});
  }
  std::size_t from = 4;
  while (from <= 512 && std::abs(longest_wave(evidence, from, base) / kLength - 1) > kClose)
    from += 2;
  finding.numbers.push_back({"from width", static_cast<double>(from)});
  if (from <= 512) finding.verdict = from == 4 ? Verdict::kHolds : Verdict::kHoldsIf;
  finding.measured = conditional(
      finding.verdict, "the encoding is wide",
      fmt::format(
          "for T = 128 that base, {:.1f}, gives a longest wave of {} at widths 8, 32 and 64, and "
          "comes within 5 % of T {}. The base that fits is (T / 2 pi)^(d / (d - 2)): {}.",
          base, fmt::join(waves, ", "),
          from <= 512 ? fmt::format("from width {} on", from)
                      : std::string("at no width up to 512"),
          fmt::join(exact, ", ")));
  return finding;
}

}  // namespace phasor::design_measure
