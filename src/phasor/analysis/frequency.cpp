#include "phasor/analysis/frequency.hpp"

#include <cmath>
#include <numbers>

#include "phasor/core/error.hpp"

namespace phasor {

std::vector<double> frequencies(std::size_t width, double base) {
  check<ConfigError>(width >= 2 && width % 2 == 0,
                     "[frequencies] width must be even and at least 2, got {}: every frequency "
                     "needs a sine and a cosine; choose width {}",
                     width, width + 2 - width % 2);
  check<ConfigError>(base > 0 && std::isfinite(base),
                     "[frequencies] base must be above 0, got {}; the paper uses 10000", base);
  std::vector<double> result(width / 2);
  for (std::size_t k = 0; k < result.size(); ++k)
    result[k] = std::pow(base, -2.0 * static_cast<double>(k) / static_cast<double>(width));
  return result;
}

std::vector<double> wavelengths(std::size_t width, double base) {
  std::vector<double> result = frequencies(width, base);
  for (double& value : result) value = 2 * std::numbers::pi / value;
  return result;
}

}  // namespace phasor
