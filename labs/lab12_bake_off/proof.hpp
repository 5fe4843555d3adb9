// What proves that a learner's functions make a scheme. The lab runs it on what its learner wrote,
// a test on typical mistakes.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "labs/common/check_list.hpp"
#include "phasor/core/larger.hpp"
#include "phasor/model/check_scheme.hpp"
#include "phasor/position/plain_scheme.hpp"

namespace phasor::lab12 {

/// Why there is nothing to prove: no parameters with a row for each head. Empty when there is.
inline std::string unusable(const PlainFunctions& mine, std::size_t heads) {
  const xt::xarray<double> parameters = mine.parameters(heads);
  if (parameters.dimension() == 2 && parameters.shape(0) == heads) return "";
  return fmt::format("my_parameters({}) gives {}, wanted are {} rows", heads,
                     fmt::join(parameters.shape(), " x "), heads);
}

/// As the guide has them.
inline constexpr Cause kCauses[] = {
    {"my_bias_slopes",
     "an inner derivative forgotten, a sign, two parameters exchanged: within one millionth"},
    {"for every character", "ln d at distance 0, 1 / d"},
    {"four times", "a curve that ends, such as sqrt(32 - d)"},
    {"later character", "functions that keep something from call to call, such as a count"},
    {"all at once", "functions that keep something from call to call, such as a count"},
    {"after a long one", "functions that keep something from call to call, such as a count"},
    {"gradients", "slopes that are right on paper and wrong in use"},
    {"common shift", "angles that are not in proportion to the position"},
};

/// The largest difference between bias_slopes and central differences of the bias, over heads,
/// distances and parameters, in units of the largest slope. Infinite when the sizes do not fit.
inline double slope_error(const PlainFunctions& mine, std::size_t heads) try {
  constexpr double h = 1e-4, infinite = std::numeric_limits<double>::infinity();
  const xt::xarray<double> parameters = mine.parameters(heads);
  double error = 0, size = 0;
  for (std::size_t head = 0; head < heads; ++head)
    for (const double distance : {0.0, 1.0, 2.0, 3.0, 7.0, 20.0, 63.0, 200.0}) {
      const xt::xarray<double> slopes = mine.bias_slopes(parameters, head, distance);
      if (slopes.dimension() != 1 || slopes.size() != parameters.shape(1)) return infinite;
      for (std::size_t i = 0; i < slopes.size(); ++i) {
        xt::xarray<double> up = parameters, down = parameters;
        up(head, i) += h;
        down(head, i) -= h;
        const double numeric =
            (mine.bias(up, head, distance) - mine.bias(down, head, distance)) / (2 * h);
        error = larger(error, std::abs(numeric - slopes(i)));
        size = std::max(size, std::abs(numeric));
      }
    }
  return size > 0 ? error / size : error;
} catch (const std::exception&) {
  return std::numeric_limits<double>::infinity();
}

/// The slopes in double, and everything that any scheme has to hold to (check_scheme.hpp).
inline std::vector<SchemeCheck> prove(const PlainFunctions& mine, std::size_t heads) {
  std::vector<SchemeCheck> checks;
  // Central differences with a step of 1e-4 err by some 1e-8 of the third derivative.
  if (mine.parameters(heads).size() > 0)
    checks.push_back(
        {"my_bias_slopes against differences of my_bias", slope_error(mine, heads), 1e-6});
  const std::string name = "on_trial";
  add_scheme(plain_scheme(name, "on trial", mine));
  for (SchemeCheck& check : check_scheme(name)) checks.push_back(std::move(check));
  remove_scheme(name);
  return checks;
}

}  // namespace phasor::lab12
