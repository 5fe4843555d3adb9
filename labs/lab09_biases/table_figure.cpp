// What training makes of T5's table.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "labs/lab09_biases/figures.hpp"
#include "phasor/core/error.hpp"
#include "phasor/position/t5_bias.hpp"

namespace phasor::lab09 {
namespace {

/// The only parameter of the scheme, [buckets, H].
xt::xarray<double> table_of(const Gpt& model) {
  const std::vector<NamedParameter> parameters = model.scheme().parameters();
  check<ConfigError>(parameters.size() == 1 && parameters[0].value.rank() == 2,
                     "[lab09] a scheme with one table is wanted, got {} parameters",
                     parameters.size());
  const Tensor& table = parameters[0].value.value();
  xt::xarray<double> result = xt::zeros<double>({table.shape(0), table.shape(1)});
  std::copy(table.begin(), table.end(), result.begin());
  return result;
}

/// Largest |after - before| in the buckets from `first` to before `last`.
double largest_change(const BucketTables& tables, std::size_t first, std::size_t last) {
  double most = 0;
  for (std::size_t b = first; b < last; ++b)
    for (std::size_t h = 0; h < tables.after.shape(1); ++h)
      most = std::max(most, std::abs(tables.after(b, h) - tables.before(b, h)));
  return most;
}

/// The head's bias for each distance of the training window.
Series by_distance(const BucketTables& tables, std::size_t head) {
  Series series{.label = fmt::format("head {}", head + 1)};
  std::size_t bucket = 0;
  for (std::size_t r = 0; r < tables.context; ++r) {
    if (bucket + 1 < tables.first_distance.size() && tables.first_distance[bucket + 1] == r)
      ++bucket;
    series.y.push_back(tables.after(bucket, head));
  }
  return series;
}

Panel map_of(const std::string& title, const xt::xarray<double>& table, double size,
             const std::vector<std::size_t>& first_distance) {
  HeatmapPanel content{
      .values = table, .value_title = "bias", .low = -size, .high = size, .first_column = 1};
  for (const std::size_t distance : first_distance)
    content.row_labels.push_back(fmt::to_string(distance));
  return {.title = title,
          .x = {.title = "head"},
          .y = {.title = "first distance of the bucket (tokens)"},
          .content = content};
}

}  // namespace

BucketTables bucket_tables(const Run& run) {
  Rng rng(run.config.train.seed, "weights");
  const Gpt fresh(run.config.model, rng);
  BucketTables tables;
  tables.before = table_of(fresh);
  tables.after = table_of(*run.model);
  tables.context = run.config.model.context;
  tables.steps = run.config.train.steps;
  const std::size_t buckets = tables.after.shape(0);
  for (std::size_t r = 0; tables.first_distance.size() < buckets; ++r) {
    const std::size_t bucket = phasor::t5_bucket(static_cast<double>(r), buckets, 128, true);
    if (bucket == tables.first_distance.size()) tables.first_distance.push_back(r);
    if (r < tables.context) tables.reached = bucket + 1;
  }
  return tables;
}

Figure table_figure(const BucketTables& tables) {
  const std::size_t buckets = tables.after.shape(0), heads = tables.after.shape(1);
  double size = 0;
  for (const auto* table : {&tables.before, &tables.after})
    for (const double value : *table) size = std::max(size, std::abs(value));
  LinePanel lines;
  for (std::size_t h = 0; h < heads; ++h) lines.series.push_back(by_distance(tables, h));
  const std::string numbers = fmt::format(
      "A window of {} tokens reaches {} of the {} buckets. Their values moved by up to {:.2f} in "
      "{} steps, those of the {} others by {:.3f} (weight decay)",
      tables.context, tables.reached, buckets, largest_change(tables, 0, tables.reached),
      tables.steps, buckets - tables.reached, largest_change(tables, tables.reached, buckets));
  std::vector<std::string> ends;
  for (const Series& series : lines.series)
    ends.push_back(fmt::format("{} {:+.2f} at distance 0, {:+.2f} at 1, {:+.2f} at {}",
                               series.label, series.y[0], series.y[1], series.y.back(),
                               tables.context - 1));
  return {.id = "lab09-table",
          .title = "T5's table before and after training, one column a head",
          .caption = fmt::format("{}: at longer distances the model would use numbers that it has "
                                 "never tried. {}.",
                                 numbers, fmt::join(ends, "; ")),
          .alt = fmt::format("Two heatmaps of {} buckets by {} heads, nearly white before training "
                             "and coloured in the upper rows after it; and the trained bias "
                             "against distance. {}. {}.",
                             buckets, heads, numbers, fmt::join(ends, "; ")),
          .panels = {map_of("before", tables.before, size, tables.first_distance),
                     map_of("after", tables.after, size, tables.first_distance),
                     {.title = "after, by distance",
                      .x = {.title = "distance (tokens)"},
                      .y = {.title = "added to the score"},
                      .content = lines}},
          .columns = 3,
          .panel_width = 480,
          .panel_height = 580};
}

}  // namespace phasor::lab09
