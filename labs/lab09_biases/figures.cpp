#include "labs/lab09_biases/figures.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "phasor/position/schemes.hpp"

namespace phasor::lab09 {
namespace {

constexpr double kHiddenCell = std::numeric_limits<double>::quiet_NaN();

Series penalty_of(double slope, std::size_t head, std::size_t count) {
  Series series{.label = fmt::format("head {}: {:.4g}", head, slope)};
  for (std::size_t r = 0; r < count; ++r) series.y.push_back(-slope * static_cast<double>(r));
  return series;
}

/// Whether each slope is smaller than the one before.
bool falls(const std::vector<double>& slopes) {
  return std::is_sorted(slopes.rbegin(), slopes.rend());
}

/// The bucket, of 32 up to distance 128, of every distance from `first` to `last`.
Series stairs(const Written& written, double first, double last, bool causal) {
  Series series{.mark = Mark::kPoints};
  for (double rel = first; rel <= last; ++rel) {
    series.x.push_back(rel);
    series.y.push_back(static_cast<double>(written.bucket(rel, 32, 128, causal)));
  }
  return series;
}

/// The distances, from 0 on, at which the bucket changes.
std::vector<std::size_t> first_distances(const Series& stairs) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < stairs.y.size(); ++i)
    if (i == 0 || stairs.y[i] != stairs.y[i - 1])
      starts.push_back(static_cast<std::size_t>(stairs.x[i]));
  return starts;
}

/// What one head of a bias scheme adds at causal positions 0 to T - 1, NaN in the future.
xt::xarray<double> bias_map(const Tensor& bias, std::size_t head) {
  const std::size_t T = bias.shape(1);
  xt::xarray<double> map = xt::zeros<double>({T, T});
  for (std::size_t m = 0; m < T; ++m)
    for (std::size_t n = 0; n < T; ++n)
      map(m, n) = n > m ? kHiddenCell : static_cast<double>(bias(head, m, n));
  return map;
}

}  // namespace

Figure slopes_figure(const Written& written) {
  constexpr std::size_t kHeads = 6, kDistances = 64;
  LinePanel penalties, slopes{.key = true};
  Axis slope_axis{.title = "slope m", .log_base = 2};
  for (int power = 1; power <= 8; ++power)
    slope_axis.ticks.emplace_back(std::exp2(-power), fmt::format("1/{}", 1 << power));
  const std::vector<double> six = written.slopes(kHeads);
  for (std::size_t h = 0; h < six.size(); ++h)
    penalties.series.push_back(penalty_of(six[h], h + 1, kDistances));
  std::vector<std::string> orders;
  for (const std::size_t heads : {12, 8, 6}) {
    // The slopes of 8 heads lie on the line of 12.
    Series series{.label = fmt::format("{} heads", heads),
                  .mark = heads == 8 ? Mark::kPoints : Mark::kLineAndPoints};
    series.y = written.slopes(heads);
    for (std::size_t h = 1; h <= series.y.size(); ++h) series.x.push_back(static_cast<double>(h));
    orders.push_back(
        fmt::format("with {} heads they {}", heads,
                    falls(series.y) ? "fall from head to head" : "fall and begin anew"));
    slopes.series.push_back(series);
  }
  const auto [least, most] = std::minmax_element(six.begin(), six.end());
  const std::string numbers = fmt::format(
      "At distance {} the steepest of six heads takes {:.3g} off a score, the flattest {:.3g}",
      kDistances - 1, *most * (kDistances - 1), *least * (kDistances - 1));
  return {.id = "lab09-slopes",
          .title = "ALiBi: a straight line for every head",
          .caption = fmt::format("{}. Slopes: {}.", numbers, fmt::join(orders, ", ")),
          .alt = fmt::format("Left, {} straight lines that fall from 0, the penalty against "
                             "distance. Right, the slope against the number of the head on a "
                             "logarithmic axis. {}. Slopes: {}.",
                             six.size(), numbers, fmt::join(orders, ", ")),
          .panels = {{.title = "penalty by distance, 6 heads",
                      .x = {.title = "distance (tokens)"},
                      .y = {.title = "added to the score"},
                      .content = penalties},
                     {.title = "slope by head",
                      .x = {.title = "head h"},
                      .y = slope_axis,
                      .content = slopes}},
          .columns = 2};
}

Figure buckets_figure(const Written& written) {
  const Series causal = stairs(written, 0, 160, true);
  const Series both = stairs(written, -160, 160, false);
  const std::vector<std::size_t> starts = first_distances(causal);
  const std::string numbers =
      fmt::format("The buckets begin at distances {}; from {} on all distances are alike",
                  fmt::join(starts, ", "), starts.back());
  return {
      .id = "lab09-buckets",
      .title = "T5: 32 buckets of distances, up to 128",
      .caption = fmt::format("{}. To both sides, half of the buckets are left for each: those "
                             "of the future begin at {:g}.",
                             numbers, static_cast<double>(written.bucket(-1, 32, 128, false)) - 1),
      .alt = fmt::format("Two stairs of points, the bucket against the distance. Left, causal: "
                         "straight at first, then ever longer steps. Right, both sides: the "
                         "past and the future have a stair each. {}.",
                         numbers),
      .panels = {{.title = "causal",
                  .x = {.title = "distance (tokens)"},
                  .y = {.title = "bucket"},
                  .content = LinePanel{.series = {causal}}},
                 {.title = "both sides",
                  .x = {.title = "query position - key position (tokens)"},
                  .y = {.title = "bucket"},
                  .content = LinePanel{.series = {both}}}},
      .columns = 2};
}

Figure shift_figure(const Written& written) {
  constexpr std::size_t T = 6;
  xt::xarray<double> by_distance = xt::zeros<double>({T, T});
  for (std::size_t i = 0; i < T; ++i)
    for (std::size_t c = 0; c < T; ++c) by_distance(i, c) = static_cast<double>(T - 1 - c);
  const xt::xarray<double> shifted = written.shift(by_distance);
  xt::xarray<double> masked = shifted;
  std::size_t right = 0, seen = 0;
  for (std::size_t i = 0; i < T; ++i)
    for (std::size_t j = 0; j < T; ++j) {
      if (j > i) masked(i, j) = kHiddenCell;
      seen += j <= i;
      right += j <= i && shifted(i, j) == static_cast<double>(i - j);
    }
  const auto panel = [](const std::string& title, const std::string& columns,
                        const xt::xarray<double>& values) {
    const HeatmapPanel content{.values = values,
                               .palette = Palette::kViridis,
                               .value_title = "distance",
                               .low = 0,
                               .high = T - 1.0,
                               .decimals = 0,
                               .square = true};
    return Panel{
        .title = title, .x = {.title = columns}, .y = {.title = "query i"}, .content = content};
  };
  const std::string numbers =
      fmt::format("{} of the {} visible entries hold i - j after the shift", right, seen);
  return {.id = "lab09-shift",
          .title = "The shift: every row moves by another step, and nothing is computed",
          .caption = fmt::format(
              "Each entry is the distance it belongs to. Row i slides left until its distance 0 "
              "stands under key i; what comes in from the right, the zero in front of the next row "
              "and then that row, is garbage, which "
              "the mask hides. {}.",
              numbers),
          .alt = fmt::format("Three matrices of {0} by {0}. Left: every row is 5, 4, 3, 2, 1, 0. "
                             "Middle: zeros on the diagonal, distances to its left, other numbers "
                             "to its right. Right: the same, the part beyond the diagonal hidden. "
                             "{1}.",
                             T, numbers),
          .panels = {panel("scores by distance", "column c", by_distance),
                     panel("shifted", "key j", shifted), panel("masked", "key j", masked)},
          .columns = 3};
}

Figure maps_figure() {
  constexpr std::size_t kHeads = 4, T = 48;
  // A context below T, for a scheme that treats positions beyond it differently.
  constexpr SchemeSizes sizes{.width = 64, .heads = kHeads, .context = 16};
  const Positions positions = consecutive_positions(T);
  const Context context{positions, positions, 1, true};
  const NoGrad no_grad;
  Figure figure{
      .id = "lab09-maps",
      .title = fmt::format("What every bias scheme adds before training, heads 1 and {}", kHeads),
      .columns = 4,
      .panel_width = 360,
      .panel_height = 290};
  std::vector<std::string> words, bent;
  for (const SchemeEntry& entry : schemes()) {
    if (entry.kind != "bias") continue;
    Rng rng(1, entry.name);
    const auto scheme = make_scheme(entry.name, {}, sizes, rng);
    const Tensor bias = dynamic_cast<const BiasScheme&>(*scheme).bias(context).value();
    for (const std::size_t head : {std::size_t{0}, kHeads - 1}) {
      const HeatmapPanel content{
          .values = bias_map(bias, head), .value_title = "bias", .square = true};
      figure.panels.push_back({.title = fmt::format("{}, head {}", entry.name, head + 1),
                               .x = {.title = "key (tokens)"},
                               .y = {.title = "query (tokens)"},
                               .content = content});
    }
    words.push_back(fmt::format("{} {:.3g}", entry.name, bias(0, T - 1, 0)));
    if (relative_spread_on_diagonals(bias_map(bias, 0)) > 1e-3) bent.push_back(entry.name);
  }
  const std::string numbers = fmt::format(
      "What head 1 adds at distance {}: {}. Diagonals are unbroken, so that only the distance "
      "counts, in all but {} of {} schemes{}",
      T - 1, fmt::join(words, ", "), bent.size(), words.size(),
      bent.empty() ? "" : fmt::format(" ({})", fmt::join(bent, ", ")));
  figure.caption = fmt::format(
      "{}. Every map has its own scale; those with trained parameters are where training begins. "
      "The training context is 16.",
      numbers);
  figure.alt = fmt::format("{} heatmaps of {} x {} positions, the future grey. {}.",
                           figure.panels.size(), T, T, numbers);
  return figure;
}

}  // namespace phasor::lab09
