#include "phasor/cli/show.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "phasor/core/error.hpp"
#include "phasor/core/file.hpp"
#include "phasor/core/text.hpp"
#include "phasor/figure/write.hpp"
#include "phasor/position/schemes.hpp"
#include "phasor/tensor/npy.hpp"

namespace phasor::cli {
namespace {

constexpr std::size_t kMostHeads = 4;

/// "0.0625" or "41829.4".
std::string number(double value) { return fmt::format("{:g}", value); }

void say(const ShowCommand& command, const std::string& line) {
  fmt::print(command.json ? stderr : stdout, "{}\n", line);
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

HeatmapPanel heatmap_of(const Tensor& scores, std::size_t head, const std::string& value) {
  const std::size_t T = scores.shape()[1];
  HeatmapPanel map{.value_title = value, .square = true};
  map.values = xt::xarray<double>::from_shape({T, T});
  for (std::size_t i = 0; i < T * T; ++i)
    map.values.data()[i] = static_cast<double>(scores.data()[head * T * T + i]);
  return map;
}

}  // namespace

std::unique_ptr<Scheme> make_shown(const ShowCommand& command) {
  check<ConfigError>(command.positions > 0, "--positions must be at least 1, got 0");
  const SchemeSizes sizes{command.width, command.heads, command.context};
  check_sizes(sizes);
  Rng rng(command.seed, "show");
  return make_scheme(command.scheme, command.options, sizes, rng);
}

void check_sizes(const SchemeSizes& sizes) {
  GptConfig model;
  model.vocabulary = 1;
  std::tie(model.width, model.heads, model.context) =
      std::tie(sizes.width, sizes.heads, sizes.context);
  model.validate();
}

std::string names_of_kind(const std::string& kind) {
  std::vector<std::string> names;
  for (const SchemeEntry& entry : schemes())
    if (entry.kind == kind) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<double> by_distance(const Tensor& scores, std::size_t head) {
  const std::size_t T = scores.shape()[1];
  std::vector<double> result;
  for (std::size_t rel = 0; rel < T; ++rel)
    result.push_back(static_cast<double>(scores(head, T - 1, T - 1 - rel)));
  return result;
}

void print_by_distance(const std::string& title, const Tensor& scores) {
  const std::size_t shown = std::min<std::size_t>(scores.shape()[1], 8);
  fmt::print("\n{}, by distance:\n{:>6}", title, "head");
  for (std::size_t rel = 0; rel < shown; ++rel) fmt::print(" {:>9}", rel);
  for (std::size_t h = 0; h < scores.shape()[0]; ++h) {
    fmt::print("\n{:>6}", h + 1);
    const std::vector<double> row = by_distance(scores, h);
    for (std::size_t rel = 0; rel < shown; ++rel) fmt::print(" {:>9.4g}", row[rel]);
  }
  fmt::print("\n");
}

std::string title_of(const ShowCommand& command) {
  std::string title = command.scheme;
  for (const auto& [name, value] : command.options) title += fmt::format(", {} {}", name, value);
  return title;
}

void print_facts(const std::vector<Fact>& facts) {
  for (const Fact& fact : facts) {
    std::vector<std::string> numbers;
    for (const double value : fact.values) numbers.push_back(number(value));
    fmt::print("{}: {}\n", fact.name, fmt::join(numbers, " "));
  }
}

nlohmann::ordered_json facts_to_json(const std::vector<Fact>& facts) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Fact& fact : facts) json[fact.name] = fact.values;
  return json;
}

void check_places(const ShowCommand& command) {
  if (!command.out.empty()) check_writable(command.out);
  if (command.figure.empty()) return;
  check<ConfigError>(command.figure.extension() == ".svg",
                     "--figure must end in .svg, got {}; the .png, .csv and .json are written "
                     "beside it",
                     command.figure.string());
  check_figure_writable(command.figure.stem().string(), folder_of(command.figure));
  if (command.out.empty()) return;
  const auto whole = [](const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  for (const char* ending : {".svg", ".png", ".csv", ".json"})
    check<ConfigError>(whole(command.out) != whole(command.figure).replace_extension(ending),
                       "--out {} is one of the files that --figure writes; choose another name",
                       command.out.string());
}

void write_out(const ShowCommand& command, const Tensor& numbers, const std::string& what) {
  if (command.out.empty()) return;
  write_npy(command.out, numbers);
  say(command, fmt::format("{} {}, float32, written to {}", what, shape_of(numbers),
                           printable(command.out.string())));
}

void write_shown(const ShowCommand& command, Figure figure) {
  if (command.figure.empty()) return;
  figure.id = command.figure.stem().string();
  const bool drawn = write_figure(figure, folder_of(command.figure));
  say(command, drawn ? fmt::format("drawn in {} (and .png; numbers in .csv)",
                                   printable(command.figure.string()))
                     : "gnuplot is not installed: numbers written to .csv, nothing drawn; install "
                       "gnuplot-nox to draw");
}

Figure score_figure(const ShowCommand& command, const Tensor& scores, const std::string& value) {
  const std::size_t H = scores.shape()[0], shown = std::min(H, kMostHeads);
  Figure figure{.title = fmt::format("{}, {}", title_of(command), value),
                .columns = shown == 1 ? 1U : 2U};
  double low = INFINITY, high = -INFINITY;
  for (const Real score : scores)
    if (std::isfinite(score)) {
      low = std::min(low, static_cast<double>(score));
      high = std::max(high, static_cast<double>(score));
    }
  const double furthest = std::max(std::abs(low), std::abs(high));
  for (std::size_t head = 0; head < shown; ++head) {
    HeatmapPanel map = heatmap_of(scores, head, value);
    if (furthest > 0) std::tie(map.low, map.high) = std::pair(-furthest, furthest);  // one scale
    figure.panels.push_back({.title = fmt::format("head {}", head + 1),
                             .x = {.title = "key position (tokens)"},
                             .y = {.title = "query position (tokens)"},
                             .content = map});
  }
  figure.caption = fmt::format(
      "{} by query (rows) and key (columns), {} of {} heads, {} positions, from {} to {}. Grey: "
      "the key is in the query's future and hidden.",
      value, shown, H, command.positions, number(low), number(high));
  figure.alt = fmt::format(
      "{} heatmaps of {} by {} values from {} to {}, blue below zero and red "
      "above, of the scheme {}.",
      shown, command.positions, command.positions, number(low), number(high), command.scheme);
  return figure;
}

}  // namespace phasor::cli
