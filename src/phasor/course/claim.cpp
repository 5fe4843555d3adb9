#include "phasor/course/claim.hpp"

#include <fmt/format.h>

#include <cmath>

#include "phasor/analysis/frequency.hpp"
#include "phasor/core/error.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kHoldsIf:
      return "holds only if";
    case Verdict::kFails:
      return "fails";
    case Verdict::kNotMeasured:
      return "not measured yet";
  }
  return "";
}

std::string conditional(Verdict verdict, const std::string& condition, std::string rest) {
  if (verdict == Verdict::kHoldsIf) rest = fmt::format("Only if {}: {}", condition, rest);
  return sentence(std::move(rest));
}

std::string sentence(std::string words) {
  if (words.empty()) return words;
  if (words.front() >= 'a' && words.front() <= 'z')
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words.ends_with('.') ? words : words + '.';
}

xt::xarray<double> sinusoid(std::size_t positions, std::size_t width, double base) {
  const std::vector<double> w = frequencies(width, base);
  xt::xarray<double> pe = xt::zeros<double>({positions, width});
  for (std::size_t p = 0; p < positions; ++p)
    for (std::size_t k = 0; k < w.size(); ++k) {
      pe(p, 2 * k) = std::sin(static_cast<double>(p) * w[k]);
      pe(p, 2 * k + 1) = std::cos(static_cast<double>(p) * w[k]);
    }
  return pe;
}

xt::xarray<double> rotated(const xt::xarray<double>& rows, const std::vector<double>& positions,
                           double base) {
  check(rows.dimension() == 2 && rows.shape(0) == positions.size(),
        "[rotated] rows must be [{}, D], one for each position, got {} axes and {} rows",
        positions.size(), rows.dimension(), rows.dimension() > 0 ? rows.shape(0) : 0);
  const std::vector<double> w = frequencies(rows.shape(1), base);
  xt::xarray<double> result = rows;
  for (std::size_t t = 0; t < positions.size(); ++t)
    for (std::size_t k = 0; k < w.size(); ++k) {
      const double c = std::cos(positions[t] * w[k]), s = std::sin(positions[t] * w[k]);
      const double x = rows(t, 2 * k), y = rows(t, 2 * k + 1);
      result(t, 2 * k) = c * x - s * y;
      result(t, 2 * k + 1) = s * x + c * y;
    }
  return result;
}

Finding not_measured(const std::filesystem::path& run, const std::string& lab) {
  return {Verdict::kNotMeasured,
          fmt::format("there is no run in {}; labs/run {} trains it", run.string(), lab.substr(3))};
}

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> result;
    for (auto* topic : {order_claims, sinusoid_claims, shift_claims, product_claims, design_claims,
                        training_claims, decomposition_claims, rope_claims, bias_claims,
                        length_claims, drope_claims, bake_off_claims})
      for (Claim& claim : topic()) result.push_back(std::move(claim));
    return result;
  }();
  return all;
}

}  // namespace phasor
