#include "phasor/figure/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace phasor {
namespace {

using Rgb = std::array<double, 3>;

Rgb parse(const std::string& colour) {
  Rgb rgb;
  for (std::size_t i = 0; i < 3; ++i) rgb[i] = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16);
  return rgb;
}

}  // namespace

const std::vector<std::string>& line_colours() {
  static const std::vector<std::string> colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                   "#E69F00", "#56B4E9", "#000000"};
  return colours;
}

const std::vector<std::string>& stops(Palette palette) {
  static const std::vector<std::string> diverging = {"#053061", "#2166ac", "#4393c3", "#92c5de",
                                                     "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582",
                                                     "#d6604d", "#b2182b", "#67001f"};
  static const std::vector<std::string> viridis = {"#440154", "#482576", "#414487", "#35608d",
                                                   "#2a788e", "#21918c", "#22a884", "#43bf71",
                                                   "#7ad151", "#bbdf27", "#fde725"};
  return palette == Palette::kDiverging ? diverging : viridis;
}

std::string colour_at(Palette palette, double share) {
  const auto& list = stops(palette);
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(list.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), list.size() - 2);
  const double weight = place - static_cast<double>(below);
  const Rgb a = parse(list[below]), b = parse(list[below + 1]);
  std::array<int, 3> mixed;
  for (std::size_t i = 0; i < 3; ++i)
    mixed[i] = static_cast<int>(std::lround(a[i] + weight * (b[i] - a[i])));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

std::string ink_on(const std::string& colour) {
  const Rgb rgb = parse(colour);
  std::array<double, 3> linear;
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = rgb[i] / 255;
    linear[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  // Relative luminance (WCAG 2.1). At 0.179 black and white have the same contrast.
  const double luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return luminance > 0.179 ? "#000000" : "#ffffff";
}

}  // namespace phasor
