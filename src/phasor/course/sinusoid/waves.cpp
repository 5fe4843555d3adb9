// Findings about the frequencies of the encoding, read back from its first two rows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "phasor/analysis/shift.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/course/sinusoid/claims.hpp"

namespace phasor::sinusoids {
namespace {

constexpr double kBase = 10000, kTwoPi = 2 * std::numbers::pi;
constexpr std::array<std::size_t, 6> kWidths = {8, 32, 64, 128, 256, 512};

/// What a text gives as "about", with one digit, may be off by a tenth.
constexpr double kAbout = 0.1;

bool within(double value, double wanted, double share) {
  return std::abs(value / wanted - 1) <= share;
}

/// For every width of kWidths one value, and whether it is what is claimed.
struct ByWidth {
  std::vector<std::string> values = {};
  std::vector<std::pair<std::string, double>> numbers = {};
  std::size_t agree = 0;

  void take(double value, bool agrees) {
    numbers.emplace_back(fmt::format("width {}", kWidths[values.size()]), value);
    values.push_back(grouped(value));
    agree += agrees;
  }
  Verdict verdict() const { return agree == values.size() ? Verdict::kHolds : Verdict::kFails; }
  /// "6.28 positions at every width from 8 to 512", or each of them.
  std::string words() const {
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end())
      return fmt::format("{} positions at every width from {} to {}", values[0], kWidths.front(),
                         kWidths.back());
    std::vector<std::string> each;
    for (std::size_t i = 0; i < values.size(); ++i)
      each.push_back(fmt::format("{} at width {}", values[i], kWidths[i]));
    return fmt::format("{} positions", fmt::join(each, ", "));
  }
};

}  // namespace

std::vector<double> measured_waves(const Encoder& encode, std::size_t width, double base) {
  return measured_waves(encode(2, width, base));
}

std::vector<double> measured_waves(const xt::xarray<double>& pe) {
  std::vector<double> waves = turns_between(pe, 0, 1);
  for (double& wave : waves) wave = kTwoPi / wave;
  return waves;
}

std::string grouped(double value) {
  if (!(std::abs(value) < 1e12)) return "none";
  if (value < 1000) return fmt::format("{:.3g}", value);
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t place = digits.size(); place > 3;) digits.insert(place -= 3, 1, ',');
  return digits;
}

Finding shortest_wave(const Evidence& evidence) {
  ByWidth found;
  for (const std::size_t width : kWidths) {
    const std::vector<double> waves = measured_waves(evidence.encode, width);
    const double shortest = *std::min_element(waves.begin(), waves.end());
    // Rounding of the angle of one radian and of its sine: a few units in the last place.
    found.take(shortest, within(shortest, kTwoPi, 1e-14));
  }
  return {found.verdict(), fmt::format("The shortest wave has {}.", found.words()), found.numbers};
}

Finding quarter_wave(const Evidence& evidence) {
  ByWidth found;
  for (const std::size_t width : kWidths) {
    const double wave = measured_waves(evidence.encode, width)[width / 4];
    found.take(wave, within(wave, 628, 0.001));  // the text gives three digits
  }
  return {found.verdict(), fmt::format("Pair d/4 turns once in {}.", found.words()), found.numbers};
}

namespace {

/// The width from which on, up to 1024, one of the two is within a tenth of what is claimed; above
/// 1024 where there is none. Widths are tried downwards.
std::size_t about_from(const std::function<double(std::size_t)>& measure, double claimed) {
  std::size_t from = 1026;
  while (from > 2 && within(measure(from - 2), claimed, kAbout)) from -= 2;
  return from;
}

double longest_of(const Evidence& evidence, std::size_t width) {
  const std::vector<double> waves = measured_waves(evidence.encode, width);
  return *std::max_element(waves.begin(), waves.end());
}

}  // namespace

Finding longest_wave(const Evidence& evidence) {
  const double claimed = kTwoPi * kBase;
  ByWidth found;
  double nearest = 0;
  for (const std::size_t width : kWidths) {
    const double longest = longest_of(evidence, width);
    // The texts give 2 pi 10000 itself, and it with two and with five digits: 1 % is the mildest
    // reading of a number that is written out like that.
    found.take(longest, within(longest, claimed, 0.01));
    if (std::abs(longest - claimed) < std::abs(nearest - claimed)) nearest = longest;
  }
  const std::size_t from =
      about_from([&](std::size_t width) { return longest_of(evidence, width); }, claimed);
  found.numbers.emplace_back("from width", static_cast<double>(from));
  std::string reason;
  if (found.verdict() == Verdict::kFails && nearest < claimed)
    reason = fmt::format(
        " The exponent ends at (d - 2)/d and not at 1, so every width falls short, the best of "
        "these by {:.1f} %; as an exact number, or with the five digits that it is given with, it "
        "is wrong everywhere.",
        100 * (1 - nearest / claimed));
  if (found.verdict() == Verdict::kFails && from <= 1024)
    reason += fmt::format(
        " Within a tenth, as the lowest frequency is taken, which is given as about 1/10000, it "
        "holds from width {} on.",
        from);
  return {found.verdict(), fmt::format("The longest wave has {}.{}", found.words(), reason),
          found.numbers};
}

Finding lowest_frequency(const Evidence& evidence) {
  const auto lowest = [&](std::size_t width) { return kTwoPi / longest_of(evidence, width); };
  const std::size_t from = about_from(lowest, 1 / kBase);
  const Verdict verdict = from == 2      ? Verdict::kHolds
                          : from <= 1024 ? Verdict::kHoldsIf
                                         : Verdict::kFails;
  const std::string values = fmt::format(
      "it is {:.3g} at width 8, the example that D3 works out, {:.3g} at 32, {:.3g} at 64 and "
      "{:.3g} at 512. The text says about, so a tenth off is allowed; the longest wave, 2 pi over "
      "the same frequency, is given as a number, and as such it fails.",
      lowest(8), lowest(32), lowest(64), lowest(512));
  return {verdict,
          conditional(verdict, fmt::format("the width is at least {}", from), values),
          {{"width 8", lowest(8)},
           {"width 512", lowest(512)},
           {"from width", static_cast<double>(from)}}};
}

Finding tenths(const Evidence& evidence) {
  const std::vector<double> waves = measured_waves(evidence.encode, 8);
  double error = 0;
  std::vector<std::string> words;
  for (std::size_t k = 0; k < waves.size(); ++k) {
    const double w = kTwoPi / waves[k];
    error = larger(error, std::abs(w * std::pow(10.0, static_cast<double>(k)) - 1));
    words.push_back(fmt::format("{:.6g}", w));
  }
  // The values, one arc tangent and 2 pi over it: a handful of roundings of 1e-16.
  return {error <= 1e-12 ? Verdict::kHolds : Verdict::kFails,
          fmt::format("They are {}, off by {:.1g} of their value at most.", fmt::join(words, ", "),
                      error),
          {{"largest relative error", error}}};
}

Finding clock_table(const Evidence& evidence) {
  struct Fit {
    std::size_t width = 0, rows = 0;
    double off = std::numeric_limits<double>::infinity();  // of the rows that fit
    std::vector<std::string> words = {};
  };
  const auto fit_of = [&](std::size_t width) {
    const std::vector<double> waves = measured_waves(evidence.encode, width);
    Fit fit{.width = width, .off = 0};
    for (const Clock& clock : kClocks) {
      const double wave = waves[clock.dimension / 2];
      fit.words.push_back(grouped(wave));
      if (!within(wave, clock.wavelength, 0.1)) continue;  // the table says "about"
      ++fit.rows;
      fit.off += std::abs(std::log(wave / clock.wavelength));
    }
    return fit;
  };
  Fit best;
  for (std::size_t width = 256; width <= 1024; width += 2) {  // 256 is the least with dimension 255
    Fit fit = fit_of(width);
    if (fit.rows > best.rows || (fit.rows == best.rows && fit.off < best.off)) best = fit;
  }
  const bool holds = best.rows == kClocks.size();
  return {
      holds ? Verdict::kHolds : Verdict::kFails,
      fmt::format("{} of the five rows fit width {} within a tenth: {}. At width 256, the least "
                  "that has dimension 255, they are {}.",
                  holds ? "All" : fmt::format("No width from 256 to 1024 fits all; {}", best.rows),
                  best.width, fmt::join(best.words, ", "), fmt::join(fit_of(256).words, ", ")),
      {{"rows that fit", static_cast<double>(best.rows)},
       {"best width", static_cast<double>(best.width)}}};
}

Finding fast_and_slow(const Evidence& evidence) {
  bool slower = true;
  for (const std::size_t width : kWidths) {
    const std::vector<double> waves = measured_waves(evidence.encode, width);
    for (std::size_t k = 1; k < waves.size(); ++k) slower = slower && waves[k] > waves[k - 1];
  }
  const std::vector<double> waves = measured_waves(evidence.encode, 32);
  return {
      slower ? Verdict::kHolds : Verdict::kFails,
      fmt::format("At width 32 one turn takes {} positions in dimensions 0-1 and {} in "
                  "dimensions 30-31; {} pair is slower than the one before it.",
                  grouped(waves.front()), grouped(waves.back()), slower ? "every" : "not every"),
      {{"first wave", waves.front()}, {"last wave", waves.back()}}};
}

Finding own_frequency(const Evidence& evidence) {
  constexpr std::size_t kPositions = 1000, kWidth = 64;
  const xt::xarray<double> pe = evidence.encode(kPositions, kWidth, kBase);
  // x(p - 1) + x(p + 1) = 2 cos(w) x(p) for a sine and for a cosine: least squares gives cos w.
  std::vector<double> found;
  for (std::size_t c = 0; c < kWidth; ++c) {
    double both = 0, squares = 0;
    for (std::size_t p = 1; p + 1 < kPositions; ++p) {
      both += pe(p, c) * (pe(p - 1, c) + pe(p + 1, c)) / 2;
      squares += pe(p, c) * pe(p, c);
    }
    found.push_back(std::acos(both / squares));
  }
  std::sort(found.begin(), found.end());
  // cos w is known to 1e-16, so w near 1e-4 to 1e-12, and to 1e-6 of itself with room to spare; two
  // pairs that follow each other differ by a seventh at the least.
  std::size_t distinct = 1;
  for (std::size_t c = 1; c < kWidth; ++c) distinct += found[c] > found[c - 1] * (1 + 1e-6);
  return {
      distinct == kWidth ? Verdict::kHolds : Verdict::kFails,
      fmt::format("The {} columns of width {} have {} frequencies: {}.", kWidth, kWidth, distinct,
                  2 * distinct == kWidth ? "each belongs to a sine and to its cosine"
                                         : "not one for every two"),
      {{"frequencies", static_cast<double>(distinct)}}};
}

}  // namespace phasor::sinusoids
