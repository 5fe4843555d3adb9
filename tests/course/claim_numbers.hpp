// Measuring a claim of a topic by its id, and reading the numbers of what was found.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "phasor/course/claim.hpp"

namespace phasor::test {

inline Finding measured(const std::vector<Claim>& claims, const std::string& id,
                        const Evidence& evidence = {}) {
  for (const Claim& claim : claims)
    if (claim.id == id) return claim.measure(evidence);
  ADD_FAILURE() << "there is no claim " << id;
  return {};
}

/// The same of any topic.
inline Finding measured(const std::string& id, const Evidence& evidence = {}) {
  return measured(claims(), id, evidence);
}

inline double number(const Finding& finding, const std::string& name) {
  for (const auto& [key, value] : finding.numbers)
    if (key == name) return value;
  ADD_FAILURE() << "there is no number " << name;
  return std::nan("");
}

inline bool says(const Finding& finding, const std::string& words) {
  return finding.measured.find(words) != std::string::npos;
}

/// Encodings that are wrong in one thing each.
inline xt::xarray<double> wrong_base(std::size_t positions, std::size_t width, double) {
  return sinusoid(positions, width, 100);
}

/// Every cosine changes places with the cosine of the next pair, the last with the first: the same
/// columns in another order, so that products of rows stay what they are.
inline xt::xarray<double> swapped_cosines(std::size_t positions, std::size_t width, double base) {
  const xt::xarray<double> right = sinusoid(positions, width, base);
  xt::xarray<double> wrong = right;
  for (std::size_t p = 0; p < positions; ++p)
    for (std::size_t i = 1; i < width; i += 2) wrong(p, i) = right(p, (i + 2) % width);
  return wrong;
}

/// Every cosine is taken at the next frequency of the progression: no cosine has its sine.
inline xt::xarray<double> split_pairs(std::size_t positions, std::size_t width, double base) {
  xt::xarray<double> wrong = sinusoid(positions, width, base);
  for (std::size_t p = 0; p < positions; ++p)
    for (std::size_t i = 1; i < width; i += 2) {
      const double exponent = -static_cast<double>(i + 1) / static_cast<double>(width);
      wrong(p, i) = std::cos(static_cast<double>(p) * std::pow(base, exponent));
    }
  return wrong;
}

/// Sines and cosines of any angle: positions, width, base as of an encoder.
template <class Angle>
Encoder encoder_of(Angle angle) {
  return [angle](std::size_t positions, std::size_t width, double base) {
    auto rows = xt::xarray<double>::from_shape({positions, width});
    for (std::size_t p = 0; p < positions; ++p)
      for (std::size_t k = 0; k < width / 2; ++k) {
        const double a =
            angle(static_cast<double>(p), static_cast<double>(k), static_cast<double>(width), base);
        rows(p, 2 * k) = std::sin(a);
        rows(p, 2 * k + 1) = std::cos(a);
      }
    return rows;
  };
}

/// Frequencies in equal steps up to 1.
inline Encoder linear_spacing() {
  return encoder_of(
      [](double p, double k, double width, double) { return p * 2 * (k + 1) / width; });
}

/// The square of the position.
inline Encoder squared_position() {
  return encoder_of([](double p, double k, double width, double base) {
    return p * p * std::pow(base, -2 * k / width);
  });
}

/// All pairs turn once in so many positions.
inline Encoder one_wave(double wavelength) {
  return encoder_of([wavelength](double p, double, double, double) {
    return 2 * std::acos(-1.0) * p / wavelength;
  });
}

}  // namespace phasor::test
