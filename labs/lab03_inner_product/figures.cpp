#include "labs/lab03_inner_product/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "phasor/analysis/attention.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/matrix.hpp"
#include "phasor/analysis/shift.hpp"

namespace phasor::lab03 {
namespace {

constexpr int kReach = 16;  // offsets to either side
constexpr std::array<std::size_t, 2> kPlaces = {20, 40};

/// About forty distances for each factor of ten.
std::vector<std::size_t> spaced_distances(std::size_t last) {
  std::set<std::size_t> chosen = {last};
  for (int n = 0;; ++n) {
    const auto distance = static_cast<std::size_t>(std::lround(std::pow(10, n / 40.0)));
    if (distance >= last) break;
    chosen.insert(distance);
  }
  return {chosen.begin(), chosen.end()};
}

Series law_series(const std::vector<std::size_t>& distances, double base) {
  Series law{.label = "law", .dashed = true};
  for (const std::size_t distance : distances) {
    law.x.push_back(static_cast<double>(distance));
    law.y.push_back(decay_law(law.x.back(), base));
  }
  return law;
}

/// How far the shares are from the law between two distances, at the most.
double farthest_from_law(const Fall& fall, double base, std::size_t from, std::size_t to) {
  double farthest = 0;
  for (std::size_t p = from; p <= to && p < fall.shares.size(); ++p)
    farthest =
        std::max(farthest, std::abs(fall.shares[p] - decay_law(static_cast<double>(p), base)));
  return farthest;
}

/// PE(p) . rows(p + offset) for every offset.
Series products(const xt::xarray<double>& pe, const xt::xarray<double>& rows, std::size_t p) {
  Series series{.label = fmt::format("p = {}", p)};
  for (int offset = -kReach; offset <= kReach; ++offset) {
    const auto q = static_cast<std::size_t>(static_cast<int>(p) + offset);
    double dot = 0;
    for (std::size_t c = 0; c < pe.shape(1); ++c) dot += pe(p, c) * rows(q, c);
    series.x.push_back(offset);
    series.y.push_back(dot);
  }
  return series;
}

/// Two positions over offsets; the second as dots, so that equal curves show as one with dots.
struct Between {
  std::string title;
  std::array<Series, 2> series;
  double differ = 0;    ///< at the most, between the two positions
  double lopsided = 0;  ///< at the most, between an offset and its negative
  int best = 0;         ///< offset of the largest product of the first
};

Between between(const std::string& title, const xt::xarray<double>& pe,
                const xt::xarray<double>& matrix) {
  const xt::xarray<double> rows = moved(pe, matrix);
  Between b{title, {products(pe, rows, kPlaces[0]), products(pe, rows, kPlaces[1])}};
  b.series[1].mark = Mark::kPoints;
  const std::vector<double>& y = b.series[0].y;
  for (std::size_t n = 0; n < y.size(); ++n) {
    b.differ = std::max(b.differ, std::abs(y[n] - b.series[1].y[n]));
    b.lopsided = std::max(b.lopsided, std::abs(y[n] - y[y.size() - 1 - n]));
  }
  b.best = static_cast<int>(std::max_element(y.begin(), y.end()) - y.begin()) - kReach;
  return b;
}

Panel panel_of(const Between& b) {
  return {.title = b.title,
          .x = {.title = "offset q - p (tokens)"},
          .y = {.title = "PE(p) · A PE(q)"},
          .content = LinePanel{.series = {b.series[0], b.series[1]}, .key = true}};
}

}  // namespace

Figure decay_figure(const std::vector<Fall>& falls, double base) {
  const std::size_t last = falls.front().shares.size() - 1;
  const std::vector<std::size_t> distances = spaced_distances(last);
  LinePanel lines{.series = {}, .references = {{"0", 0}}, .key = true};
  std::vector<std::string> measured;
  for (const Fall& fall : falls) {
    Series series{.label = fmt::format("width {}", fall.width)};
    for (const std::size_t distance : distances) {
      series.x.push_back(static_cast<double>(distance));
      series.y.push_back(fall.shares[distance]);
    }
    lines.series.push_back(series);
    measured.push_back(fmt::format("width {}: {:.2f}, {:.2f}, {:.2f}", fall.width, fall.shares[50],
                                   fall.shares[100], fall.shares[1000]));
  }
  lines.series.push_back(law_series(distances, base));
  const Fall& widest = falls.back();
  const std::string numbers = fmt::format(
      "At distances 50, 100 and 1000 the shares are {}; the law says {:.2f}, {:.2f}, {:.2f}",
      fmt::join(measured, "; "), decay_law(50, base), decay_law(100, base), decay_law(1000, base));
  return {.id = "lab03-decay",
          .claims_id = "",
          .title = fmt::format("PE(0) · PE(p) as a share of d/2, to distance {}", last),
          .caption = fmt::format(
              "{}. Width {} stays within {:.2f} of the law 1 - (ln p + 0.5772) / ln {:g} from 50 "
              "to 1000: more columns bring the curve nearer to the law and not to zero, which the "
              "law reaches at distance {:.0f}.",
              numbers, widest.width, farthest_from_law(widest, base, 50, 1000), base,
              decay_law_zero(base)),
          .alt = fmt::format("Curves that fall from 1 towards 0 over a logarithmic axis of "
                             "distances, narrow encodings with wide swings. {}.",
                             numbers),
          .panels = {{.x = {.title = "distance p (tokens)", .log_base = 10},
                      .y = {.title = "share of d/2"},
                      .content = lines}}};
}

Figure between_figure(const xt::xarray<double>& pe, std::uint64_t seed) {
  const std::size_t width = pe.shape(1);
  xt::xarray<double> chance = random_tokens(seed, width, width);
  for (double& value : chance) value /= std::sqrt(static_cast<double>(width));
  const Between raw = between("A = the identity", pe, identity(width));
  const Between turned = between("A = the rotation by 2", pe, sinusoidal_shift(2, width));
  const Between random = between("A = random numbers", pe, chance);
  return {
      .id = "lab03-between",
      .claims_id = "",
      .title = fmt::format("What a matrix between two encodings does, width {}", width),
      .caption = fmt::format(
          "Line: p = {}; dots: p = {}. Raw encodings: both agree to {:.0e}, and left and right "
          "agree to {:.0e}, so the product cannot tell sides apart. With the rotation by two "
          "positions the largest product is at offset {}, from both. With random numbers the two "
          "differ by up to {:.1f}: the product is no longer a function of distance alone.",
          kPlaces[0], kPlaces[1], raw.differ, raw.lopsided, turned.best, random.differ),
      .alt = fmt::format(
          "Three panels over offsets from {} to {}. Without a matrix: a curve symmetric about 0, "
          "largest there, the same for both positions. With a rotation: the same curve moved, "
          "largest at {}. With random numbers: two different curves, up to {:.1f} apart.",
          -kReach, kReach, turned.best, random.differ),
      .panels = {panel_of(raw), panel_of(turned), panel_of(random)},
      .columns = 3,
      .panel_width = 480,
      .panel_height = 360};
}

}  // namespace phasor::lab03
