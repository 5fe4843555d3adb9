// Reads the vectors that independent implementations wrote (tests/golden/README.md).
#pragma once
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "phasor/core/file.hpp"
#include "phasor/model/config.hpp"
#include "phasor/tensor/npy.hpp"

namespace phasor {

inline std::filesystem::path golden_path(const std::string& name) {
  return std::filesystem::path(PHASOR_SOURCE_DIR) / "tests" / "golden" / name;
}

inline xt::xarray<double> golden_doubles(const std::string& name) {
  return read_npy<double>(golden_path(name));
}

inline nlohmann::json golden_json(const std::string& name) {
  return nlohmann::json::parse(read_file(golden_path(name)));
}

}  // namespace phasor

namespace phasor::inline PHASOR_PRECISION {

/// The golden doubles, rounded to Real.
inline Tensor golden_tensor(const std::string& name) {
  const xt::xarray<double> stored = golden_doubles(name);
  Tensor result = empty(shape_of(stored));
  std::transform(stored.begin(), stored.end(), result.begin(),
                 [](double value) { return static_cast<Real>(value); });
  return result;
}

/// Largest |actual - wanted|, divided by the largest |wanted|. Infinite when shapes differ or a
/// value is not finite.
inline double relative_difference(const Tensor& actual, const xt::xarray<double>& wanted) {
  if (shape_of(actual) != shape_of(wanted)) return INFINITY;
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double off = std::abs(static_cast<double>(actual.data()[i]) - wanted.data()[i]);
    if (!std::isfinite(off)) return INFINITY;
    difference = std::max(difference, off);
    size = std::max(size, std::abs(wanted.data()[i]));
  }
  return size > 0 ? difference / size : difference;
}

}  // namespace phasor::inline PHASOR_PRECISION
