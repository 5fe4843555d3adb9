// D0-F3: range, norm, inner product, L2 distance and near collisions of an encoding.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/decay.hpp"
#include "phasor/analysis/frequency.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/core/error.hpp"
#include "phasor/core/shape.hpp"
#include "phasor/course/product/figures.hpp"

namespace phasor {
namespace {

constexpr double kCollision = 0.01;    // what counts as near
constexpr std::size_t kChecked = 100;  // among so many positions
constexpr std::size_t kOrigin = 10, kPartner = 15;

const Axis kPosition = {.title = "position (tokens)"};

/// What the six panels, the caption and the alt text tell.
struct Properties {
  std::vector<double> least, most;    ///< of each dimension
  std::vector<double> lengths;        ///< of each position
  std::vector<double> dots, cosines;  ///< with position 10, directly and as a sum
  std::vector<double> differences;    ///< of the two
  std::vector<double> distances;      ///< L2 from position 0
  std::vector<double> nearest;        ///< of the first hundred, to any other of them
  std::size_t collisions = 0;         ///< pairs nearer than 0.01
  double lowest = 0, highest = 0;
};

xt::xarray<double> first_rows(const xt::xarray<double>& pe, std::size_t count) {
  auto rows = xt::xarray<double>::from_shape({count, pe.shape(1)});
  std::copy_n(pe.data(), rows.size(), rows.data());
  return rows;
}

void measure_columns(const xt::xarray<double>& pe, Properties& p) {
  for (std::size_t i = 0; i < pe.shape(1); ++i) {
    double least = pe(0, i), most = pe(0, i);
    for (std::size_t t = 0; t < pe.shape(0); ++t) {
      least = std::min(least, pe(t, i));
      most = std::max(most, pe(t, i));
    }
    p.least.push_back(least);
    p.most.push_back(most);
  }
  p.lowest = *std::min_element(p.least.begin(), p.least.end());
  p.highest = *std::max_element(p.most.begin(), p.most.end());
}

Properties properties_of(const xt::xarray<double>& pe, double base) {
  Properties p;
  measure_columns(pe, p);
  p.lengths = norms(pe);
  const std::vector<double> w = frequencies(pe.shape(1), base);
  const std::vector<double> dots = dots_from(pe, kOrigin);
  for (std::size_t t = 0; t < 64; ++t) {
    p.dots.push_back(dots[t]);
    p.cosines.push_back(sum_of_cosines(static_cast<double>(t) - static_cast<double>(kOrigin), w));
    p.differences.push_back(std::abs(dots[t] - p.cosines[t]));
  }
  p.distances = distances_from(pe);
  p.distances.resize(50);
  const xt::xarray<double> first = first_rows(pe, kChecked);
  p.nearest = nearest_distances(first);
  for (std::size_t i = 0; i < kChecked; ++i)
    for (const double distance : distances_from(first, i)) p.collisions += distance < kCollision;
  p.collisions = (p.collisions - kChecked) / 2;  // each row is at distance 0 from itself
  return p;
}

/// The sine columns of the pairs, or the cosine columns.
Series every_second(const std::string& label, const std::vector<double>& values,
                    std::size_t first) {
  Series series{.label = label};
  for (std::size_t i = first; i < values.size(); i += 2) {
    series.x.push_back(static_cast<double>(i));
    series.y.push_back(values[i]);
  }
  return series;
}

std::vector<Panel> property_panels(const Properties& p) {
  const double length = std::sqrt(static_cast<double>(p.least.size()) / 2);
  const Axis dimension{.title = "dimension"}, steps{.title = "distance (tokens)"};
  const LinePanel range{.series = {every_second("sine, largest", p.most, 0),
                                   every_second("sine, smallest", p.least, 0),
                                   every_second("cosine, largest", p.most, 1),
                                   every_second("cosine, smallest", p.least, 1)},
                        .key = true};
  const LinePanel norm{.series = {{.label = "measured", .y = p.lengths}},
                       .references = {{"sqrt(d/2)", length}}};
  const LinePanel dots{.series = {{.label = "sum of cosines", .y = p.cosines},
                                  {.label = "product of rows", .y = p.dots, .mark = Mark::kPoints}},
                       .key = true};
  const LinePanel nearest{.series = {{.label = "nearest", .y = p.nearest}},
                          .references = {{"limit 0.01", kCollision}}};
  return {{.title = "range of each dimension",
           .x = dimension,
           .y = {.title = "value", .low = -1.1, .high = 1.1},
           .content = range},
          {.title = "length of each row",
           .x = kPosition,
           .y = {.title = "L2 norm", .low = 0, .high = 1.25 * length},
           .content = norm},
          {.title = fmt::format("inner product with position {}", kOrigin),
           .x = kPosition,
           .y = {.title = "product"},
           .content = dots},
          {.title = "and how far the two ways differ",
           .x = kPosition,
           .y = {.title = "|difference|", .low = 0},
           .content = LinePanel{.series = {{.y = p.differences, .mark = Mark::kLineAndPoints}}}},
          {.title = "distance between rows",
           .x = steps,
           .y = {.title = "L2 distance", .low = 0},
           .content = LinePanel{.series = {{.y = p.distances, .mark = Mark::kLineAndPoints}}}},
          {.title = fmt::format("nearest other row, first {} positions", kChecked),
           .x = kPosition,
           .y = {.title = "L2 distance", .low = 0.003, .high = 10, .log_base = 10},
           .content = nearest}};
}

}  // namespace

Figure properties_figure(const xt::xarray<double>& pe, double base) {
  check(pe.dimension() == 2 && pe.shape(0) >= kChecked,
        "[properties_figure] wants at least {} positions", kChecked);
  const Properties p = properties_of(pe, base);
  const auto lengths = std::minmax_element(p.lengths.begin(), p.lengths.end());
  const double error = *std::max_element(p.differences.begin(), p.differences.end());
  std::vector<std::string> ten;
  for (std::size_t n = 0; n < 10; ++n) ten.push_back(fmt::format("{:.4f}", p.distances[n]));
  const std::string numbers = fmt::format(
      "All values lie between {:.4f} and {:.4f}; row lengths between {:.6f} and {:.6f}; PE({}) · "
      "PE({}) is {:.4f}, the sum of cosines to within {:.1g}; {} pairs of the first {} are nearer "
      "than {}, the nearest are {:.4f} apart",
      p.lowest, p.highest, *lengths.first, *lengths.second, kOrigin, kPartner, p.dots[kPartner],
      error, p.collisions, kChecked, kCollision,
      *std::min_element(p.nearest.begin(), p.nearest.end()));
  return {.id = "lab03-properties",
          .claims_id = "D0-F3",
          .title = fmt::format("Properties of the encoding, {} positions, width {}", pe.shape(0),
                               pe.shape(1)),
          .caption =
              fmt::format("{}. The L2 distance goes down in {} of its {} steps.", numbers,
                          p.distances.size() - 1 - steps_up(p.distances), p.distances.size() - 1),
          .alt = fmt::format("Six panels. {}. L2 distances at 0 to 9 positions: {}.", numbers,
                             fmt::join(ten, ", ")),
          .panels = property_panels(p),
          .columns = 2,
          .panel_height = 330};
}

}  // namespace phasor
