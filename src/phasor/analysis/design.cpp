#include "phasor/analysis/design.hpp"

#include <cmath>

#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"

namespace phasor {
namespace {

double geometric(std::size_t k, std::size_t width, double base) {
  return std::pow(base, -2.0 * static_cast<double>(k) / static_cast<double>(width));
}

}  // namespace

AngleFunction Design::with(double base) const {
  return [angle = angle, base](std::size_t p, std::size_t k, std::size_t width) {
    return angle(static_cast<double>(p), k, width, base);
  };
}

const std::vector<Design>& designs() {
  static const std::vector<Design> all = {
      {"real", "p w",
       [](double p, std::size_t k, std::size_t d, double b) { return p * geometric(k, d, b); }},
      {"linear", "p (k + 1) / (d/2)",
       [](double p, std::size_t k, std::size_t d, double) {
         return p * static_cast<double>(k + 1) / static_cast<double>(d / 2);
       }},
      {"one", "p", [](double p, std::size_t, std::size_t, double) { return p; }},
      {"square", "p^2 w",
       [](double p, std::size_t k, std::size_t d, double b) { return p * p * geometric(k, d, b); }},
      {"log", "ln(1 + p) w",
       [](double p, std::size_t k, std::size_t d, double b) {
         return std::log1p(p) * geometric(k, d, b);
       }},
      {"inverse", "w / (1 + p)",
       [](double p, std::size_t k, std::size_t d, double b) {
         return geometric(k, d, b) / (1 + p);
       }},
  };
  return all;
}

const Design& design_named(const std::string& name) {
  std::string names;
  for (const Design& design : designs()) {
    if (design.name == name) return design;
    names += (names.empty() ? "" : ", ") + design.name;
  }
  throw ConfigError(fmt::format("[design] there is no '{}'; choose one of {}", name, names));
}

xt::xarray<double> encoding_of(const AngleFunction& angle, std::size_t positions,
                               std::size_t width) {
  check<ConfigError>(width >= 2 && width % 2 == 0,
                     "[encoding_of] width must be even and at least 2, got {}", width);
  auto rows = xt::xarray<double>::from_shape({positions, width});
  for (std::size_t p = 0; p < positions; ++p)
    for (std::size_t k = 0; k < width / 2; ++k) {
      const double a = angle(p, k, width);
      rows(p, 2 * k) = std::sin(a);
      rows(p, 2 * k + 1) = std::cos(a);
    }
  return rows;
}

xt::xarray<double> sines_of(const xt::xarray<double>& rows) {
  check(rows.dimension() == 2 && rows.shape(1) % 2 == 0,
        "[sines_of] rows must be pairs of columns, got {} axes", rows.dimension());
  auto sines = xt::xarray<double>::from_shape({rows.shape(0), rows.shape(1) / 2});
  for (std::size_t p = 0; p < sines.shape(0); ++p)
    for (std::size_t k = 0; k < sines.shape(1); ++k) sines(p, k) = rows(p, 2 * k);
  return sines;
}

}  // namespace phasor
