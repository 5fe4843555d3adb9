// What proves the frequencies of a slowed rotation. The lab runs it on what its learner wrote, a
// test on typical mistakes.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "labs/common/check_list.hpp"
#include "labs/lab10_longer/golden.hpp"

namespace phasor::lab10 {

using Frequencies =
    std::function<xt::xarray<double>(Scaling kind, double s, const TrainedRotation& rotation)>;

// Two correct programs may round powers and quotients differently: a few units in the last place of
// frequencies that are at most 1. Any mistake in a formula is larger by many orders.
inline constexpr double kRounding = 1e-13;

inline constexpr const char* kKindNames[] = {"kInterpolation", "kNtk", "kYarn"};
inline constexpr Scaling kKinds[] = {Scaling::kInterpolation, Scaling::kNtk, Scaling::kYarn};

/// Why there is nothing to prove: not 8 frequencies of each kind, finite and above 0. Empty when
/// there is.
inline std::string unusable(const Frequencies& frequencies) {
  for (std::size_t n = 0; n < std::size(kKinds); ++n) {
    const xt::xarray<double> w = frequencies(kKinds[n], kSmallFactor, kSmall);
    const std::string name = fmt::format("inverse_frequencies({}, {:g}, width {})", kKindNames[n],
                                         kSmallFactor, kSmall.width);
    if (std::string problem = array_problem(name, w, {kSmall.width / 2}); !problem.empty())
      return problem;
    for (std::size_t c = 0; c < w.size(); ++c)
      if (w(c) <= 0) return fmt::format("{}[{}] is {}", name, c, w(c));
  }
  return "";
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"refused", "a refusal that is missing"},
    {"by 1 ", "speeds that are not w_c to begin with"},
    {"pair 33", "a ramp in pairs, which gives 0.5, or in radians: 2 pi forgotten"},
    {"takes the place", "the exponent of NTK"},
    {" keeps",
     "a factor applied twice, s in place of 1/s, a ramp upside down, not cut off or without its "
     "2 pi, NTK with D / (D + 2)"},
    {"NumPy",
     "a base or width typed in, the exponent doubled; a ramp with the right ends and wrong "
     "between"},
    {"in the trained model", "what is wrong at this model's width and length alone"},
};

/// NaN, with which no check passes, when there is no such pair.
inline double of_pair(const xt::xarray<double>& w, std::size_t pair) {
  return pair < w.size() ? w.data()[pair] : std::numeric_limits<double>::quiet_NaN();
}

/// The frequencies of kSmall before they are slowed, which are those of interpolation times s.
inline std::vector<double> unscaled() {
  std::vector<double> w(kSmallInterpolation.begin(), kSmallInterpolation.end());
  for (double& frequency : w) frequency *= kSmallFactor;
  return w;
}

inline std::vector<ListedCheck> prove(const Frequencies& frequencies) {
  const double s = kSmallFactor;
  const std::vector<double> original = unscaled();
  const auto small = [&](Scaling kind, double factor) { return frequencies(kind, factor, kSmall); };
  const auto by_one = [&](const char* name, Scaling kind) {
    return comparison(
        fmt::format("{} by 1 changes nothing", name), [&] { return small(kind, 1); },
        vector_of(original), kRounding);
  };
  const auto share = [&](Scaling kind, std::size_t pair) {
    return of_pair(small(kind, s), pair) / original[pair];
  };
  const auto refused = [&](Scaling kind, std::size_t width) {
    return [=, &frequencies] { frequencies(kind, 2, {width, 10000, 64, 1, 8}); };
  };
  const auto golden = [&](const char* name, Scaling kind, std::span<const double> expected) {
    return comparison(
        fmt::format("{}, width 16, base 50: largest difference from NumPy", name),
        [&] { return small(kind, s); }, vector_of(expected), kRounding);
  };
  // The base comes from the 32nd power of a frequency: 32 times its rounding, of a number of 4e4.
  const double base =
      std::pow(of_pair(frequencies(Scaling::kNtk, 4, {64, 10000, 64, 1, 8}), 1), -32);
  const xt::xarray<double> yarn = frequencies(Scaling::kYarn, kLargeFactor, kLarge);
  const double ratio = of_pair(yarn, 33) / std::pow(kLarge.base, -66.0 / 128);
  const double kept = (ratio - 1 / kLargeFactor) / (1 - 1 / kLargeFactor);
  return {
      refusal("an odd width is refused", refused(Scaling::kInterpolation, 7)),
      refusal("a width of 0 is refused", refused(Scaling::kInterpolation, 0)),
      refusal("NTK with a single pair is refused", refused(Scaling::kNtk, 2)),
      by_one("PI", Scaling::kInterpolation),
      by_one("NTK", Scaling::kNtk),
      by_one("YaRN", Scaling::kYarn),
      {"PI by 3: what the fastest pair keeps of its speed", share(Scaling::kInterpolation, 0),
       kRounding, 1 / s},
      {"PI by 3: what the slowest pair keeps", share(Scaling::kInterpolation, 7), kRounding, 1 / s},
      {"NTK by 3: what the fastest pair keeps", share(Scaling::kNtk, 0), kRounding, 1},
      {"NTK by 3: what the slowest pair keeps", share(Scaling::kNtk, 7), kRounding, 1 / s},
      {"YaRN by 3: what the fastest pair keeps", share(Scaling::kYarn, 0), kRounding, 1},
      {"YaRN by 3: what the slowest pair keeps", share(Scaling::kYarn, 7), kRounding, 1 / s},
      golden("PI", Scaling::kInterpolation, kSmallInterpolation),
      golden("NTK", Scaling::kNtk, kSmallNtk),
      golden("YaRN", Scaling::kYarn, kSmallYarn),
      {"NTK by 4, width 64: the base that takes the place of 10000", base, 1e-7, kNtkBaseOfWidth64},
      {"YaRN's ramp, width 128, length 4096: the share of its speed that pair 33 keeps", kept,
       kRounding, kLargeShareOfPair33},
  };
}

}  // namespace phasor::lab10
