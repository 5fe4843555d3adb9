#include "phasor/course/design/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "phasor/analysis/collision.hpp"
#include "phasor/analysis/least_squares.hpp"
#include "phasor/analysis/similarity.hpp"
#include "phasor/course/topics.hpp"

namespace phasor {
namespace {

// What is left of an exact shift is rounding, 1e-14 at most; what a wrong design leaves is above
// 1e-8 in all of them. Two far positions nearer than a tenth of a row's length nearly collide.
constexpr double kExact = 1e-10;
constexpr double kCollision = 0.1;

/// Makes the rows of a design: positions, width -> [positions, width or half of it].
using Rows = std::function<xt::xarray<double>(std::size_t positions, std::size_t width)>;

Rows rows_of(const AngleFunction& angle) {
  return [angle](std::size_t positions, std::size_t width) {
    return encoding_of(angle, positions, width);
  };
}

double mean_length(const xt::xarray<double>& rows) {
  const std::vector<double> lengths = norms(rows);
  return std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
}

Choice measured(const std::string& label, const Rows& rows, const ChoiceSetting& setting,
                const ShiftResidual& residual) {
  const xt::xarray<double> far = rows(setting.far_positions, setting.far_width);
  return {label, residual(rows(setting.positions, 2), setting.shift),
          residual(rows(setting.positions, setting.width), setting.shift),
          nearest_pair(far, setting.apart).distance / mean_length(far)};
}

Panel bars(const std::string& title, const Axis& y, const std::vector<Choice>& choices,
           double Choice::*value) {
  BarPanel panel{.groups = {{}}};
  for (const Choice& choice : choices) {
    panel.categories.push_back(choice.label);
    panel.groups[0].values.push_back(choice.*value);
  }
  return {.title = title, .y = y, .content = panel};
}

/// The labels of the choices that `wanted` accepts.
template <class Wanted>
std::string labels(const std::vector<Choice>& choices, Wanted wanted) {
  std::vector<std::string> chosen;
  for (const Choice& choice : choices)
    if (wanted(choice)) chosen.push_back(choice.label);
  return chosen.empty() ? std::string("none") : fmt::format("{}", fmt::join(chosen, ", "));
}

bool shifts(const Choice& choice) { return choice.one_pair < kExact && choice.all_pairs < kExact; }

std::string listed(const std::vector<Choice>& choices) {
  std::vector<std::string> parts;
  for (const Choice& choice : choices)
    parts.push_back(fmt::format("{} {:.2g}, {:.2g}, {:.2g}", choice.label, choice.one_pair,
                                choice.all_pairs, choice.nearest));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

AngleFunction angles_of(const std::string& design) { return design_named(design).with(); }

double best_shift_residual(const xt::xarray<double>& rows, std::size_t k) {
  return shift_fit(rows, k).residual;
}

std::vector<Choice> measured_choices(const ChoiceSetting& setting, const AnglesByName& angles,
                                     const ShiftResidual& residual) {
  const Rows real = rows_of(angles("real"));
  const Rows sines = [real](std::size_t positions, std::size_t width) {
    return sines_of(real(positions, width));
  };
  const std::vector<std::pair<std::string, Rows>> all = {
      {"real", real},
      {"base 100", rows_of(design_named("real").with(100))},
      {"base 1e6", rows_of(design_named("real").with(1e6))},
      {"linear steps", rows_of(angles("linear"))},
      {"one frequency", rows_of(angles("one"))},
      {"sine only", sines},
      {"p squared", rows_of(angles("square"))},
      {"log p", rows_of(angles("log"))},
      {"1 / p", rows_of(angles("inverse"))}};
  std::vector<Choice> choices;
  for (const auto& entry : all)
    choices.push_back(measured(entry.first, entry.second, setting, residual));
  return choices;
}

Figure choices_figure(const std::vector<Choice>& choices, const ChoiceSetting& setting) {
  const Axis left{.title = "share left", .low = 1e-17, .high = 100, .log_base = 10};
  const auto collides = [](const Choice& choice) { return choice.nearest < kCollision; };
  const auto passes = [&](const Choice& choice) { return shifts(choice) && !collides(choice); };
  return {
      .id = "lab04-choices",
      .claims_id = "D2-F2",
      .title = "Why each choice: what breaks when it is replaced",
      .caption = fmt::format(
          "Two tests. Can one fixed matrix move every row {} positions on? Rounding alone is left "
          "for: {}. That takes an angle linear in p, and a sine with its cosine; spacing and base "
          "are free. Do positions {} or more apart stay apart? Nearer than a tenth of a row's "
          "length come: {}. Both tests pass: {}.",
          setting.shift, labels(choices, shifts), setting.apart, labels(choices, collides),
          labels(choices, passes)),
      .alt = fmt::format(
          "Three bar charts over {} designs. For each what is left of the shift with one pair, "
          "with width {}, and the distance of the nearest far positions: {}.",
          choices.size(), setting.width, listed(choices)),
      .panels = {bars(fmt::format("one pair of columns: what the best fixed matrix leaves of "
                                  "PE(p + {}), {} positions",
                                  setting.shift, setting.positions),
                      left, choices, &Choice::one_pair),
                 bars(fmt::format("the same with {} columns", setting.width), left, choices,
                      &Choice::all_pairs),
                 bars(fmt::format("nearest two of {} positions that are {} or more apart, {} "
                                  "columns",
                                  setting.far_positions, setting.apart, setting.far_width),
                      {.title = "distance / row length"}, choices, &Choice::nearest)},
      .panel_width = 1160,
      .panel_height = 280};
}

std::vector<FigureEntry> design_figures() {
  return {{"D2-F2", "lab04",
           "Why each choice: position above, dividing, base, exponent, both waves",
           [](const std::filesystem::path&) {
             const ChoiceSetting setting;
             return choices_figure(measured_choices(setting), setting);
           }}};
}

}  // namespace phasor
